import Handlebars from "handlebars";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { render } from "../../src/rendering/render.ts";

const folder = fileURLToPath(new URL("../../templates/", import.meta.url));
const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".hbs"));

/** Each of these writes its value so that it stays a value. */
const HELPERS = ["code", "comment", "each", "heredoc", "if", "mermaid", "shell", "yaml"];

/** Endings of files in which a bare hole is encoded, by the name of the file. */
const ENCODED = /\.(hcl|md|tf|tfvars)\.hbs$/;

test("a template that forgets to escape", () => {
  const faults = names.flatMap((name) =>
    faultsOf(readFileSync(join(folder, name), "utf8"), name).map((fault) => `${name}: ${fault}`),
  );
  assert.equal(faults, []);
  assert.ok(names.length > 30);
});

test("a template that forgets to escape is found", () => {
  const bad = {
    "{{{x}}}": "raw",
    "{{&x}}": "raw",
    "{{~{x}~}}": "raw",
    "{{#each a}}{{../x}}{{/each}}": "leaves its view",
    "{{@root.x}}": "leaves its view",
    "{{lookup x 'y'}}": "unknown helper lookup",
    "{{#with x}}{{y}}{{/with}}": "unknown helper with",
    "{{#unless x}}y{{/unless}}": "unknown helper unless",
    "{{> (lookup . 'x')}}": "partial that is not named",
  };
  for (const [template, fault] of Object.entries(bad)) {
    assert.ok(faultsOf(template, "x.tf.hbs").includes(fault), `${template}: ${faultsOf(template, "x.tf.hbs")}`);
  }
  assert.equal(faultsOf("{{x}}", "x.yaml.hbs"), ["bare hole in a file without an encoder"]);
  assert.equal(faultsOf("a = {{x}}\n{{#if y}}\nb = {{comment y}}\n{{/if}}\n", "x.tf.hbs"), []);
});

test("a hole without a value and a template that is not there are errors", () => {
  assert.throws(() => render("partials/header", {}), /value that its view does not have/);
  assert.throws(() => render("talos-cluster/no-such-file.tf", {}), /there is no template/);
});

/** Everything in a template that could write a value as it is, or look outside of its view. */
function faultsOf(template: string, name: string): string[] {
  const faults: string[] = [];
  if (/\{\{~?\{|\{\{~?&/.test(template)) faults.push("raw");
  const call = (path: hbs.AST.Expression, params: readonly unknown[], isBlock: boolean) => {
    const { original, depth, data } = path as hbs.AST.PathExpression;
    if (data || depth > 0) faults.push("leaves its view");
    if ((isBlock || params.length > 0) && !HELPERS.includes(original)) faults.push(`unknown helper ${original}`);
    if (!isBlock && params.length === 0 && !ENCODED.test(name)) faults.push("bare hole in a file without an encoder");
  };
  class Visitor extends Handlebars.Visitor {
    override MustacheStatement(statement: hbs.AST.MustacheStatement): void {
      if (!statement.escaped) faults.push("raw");
      call(statement.path, statement.params, false);
      super.MustacheStatement(statement);
    }
    override BlockStatement(statement: hbs.AST.BlockStatement): void {
      call(statement.path, statement.params, true);
      super.BlockStatement(statement);
    }
    override PartialStatement(statement: hbs.AST.PartialStatement): void {
      if (statement.name.type !== "PathExpression") faults.push("partial that is not named");
      super.PartialStatement(statement);
    }
    override PathExpression(path: hbs.AST.PathExpression): void {
      if (path.data || path.depth > 0) faults.push("leaves its view");
    }
    override SubExpression(): void {
      faults.push("expression in an expression");
    }
  }
  new Visitor().accept(Handlebars.parse(template));
  return [...new Set(faults)];
}

test.run();
