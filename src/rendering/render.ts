import type Full from "handlebars";
import runtime from "handlebars/runtime.js";
import { templates } from "../generated/templates.ts";
import { hcl, heredoc, type Literal } from "./hcl.ts";
import { code, comment, markdown, mermaid, shell, yaml } from "./prose.ts";

/** The runtime lacks only the compiler; its own types lack much more. */
const Handlebars = runtime as unknown as typeof Full;

/** Writes a value of a view as what the file needs: by the ending of its name. */
type Encoder = (value: unknown) => string;

const ENCODERS: Readonly<Record<string, Encoder>> = {
  hcl: (value) => hcl(value as Literal),
  md: (value) => markdown(value as string | number),
  tf: (value) => hcl(value as Literal),
  tfvars: (value) => hcl(value as Literal),
};

/** Rendering is synchronous, so one variable is enough to tell templates and partials their encoder. */
let encode: Encoder;

const environment = Handlebars.create();
const partials = Object.entries(templates).filter(([name]) => name.startsWith("partials/"));
const compiled = new Map<string, HandlebarsTemplateDelegate>();

// Replaces HTML escaping, so that a hole without a word around it is already right.
Handlebars.Utils.escapeExpression = (value: unknown) =>
  value instanceof Handlebars.SafeString ? value.toString() : encode(value);

const text = (encoder: (value: never) => string) => (value: unknown) => {
  if (value === undefined) throw new TypeError("a template asks for a value that its view does not have");
  return new Handlebars.SafeString(encoder(value as never));
};
environment.registerHelper("code", text(code));
environment.registerHelper("comment", text(comment));
environment.registerHelper("heredoc", (value: unknown, indent: unknown) =>
  text((v) => heredoc(v, Number(indent)))(value),
);
environment.registerHelper("mermaid", text(mermaid));
environment.registerHelper("shell", text(shell));
environment.registerHelper("yaml", text(yaml));

// Handlebars forgives a condition or a list that is not there; a view that forgot a field must not pass.
for (const name of ["if", "each"] as const) {
  const original = environment.helpers[name] as Full.HelperDelegate;
  environment.registerHelper(name, function (this: unknown, value: unknown, options: unknown) {
    if (value === undefined) throw new TypeError(`{{#${name}}} asks for a value that its view does not have`);
    return original.call(this, value, options);
  });
}

/** The text of one file: a template, by the name of its file without `.hbs`, with the holes filled from a view. */
export function render(name: string, view: object): string {
  encode = ENCODERS[name.slice(name.lastIndexOf(".") + 1)] ?? refuse;
  return template(name)(view);
}

function template(name: string): HandlebarsTemplateDelegate {
  const known = compiled.get(name);
  if (known !== undefined) return known;
  if (compiled.size === 0) {
    for (const [partial, spec] of partials) {
      environment.registerPartial(partial.slice("partials/".length), environment.template(spec as never));
    }
  }
  const spec = templates[name];
  if (spec === undefined) throw new Error(`there is no template ${name}.hbs`);
  const fresh = environment.template(spec as never);
  compiled.set(name, fresh);
  return fresh;
}

function refuse(value: unknown): string {
  throw new TypeError(`no encoder for this kind of file, but its template has a hole: ${typeof value}`);
}
