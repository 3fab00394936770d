import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { parse, stringify } from "yaml";
import { generate } from "../golden/generate.ts";
import { temporaryFolder } from "../golden/temporary-folder.ts";
import { line } from "../simulator/proxmox/request-log.ts";
import type { ProxmoxSimulator } from "../simulator/proxmox/simulator.ts";
import { run, type Ending } from "../tofu/run.ts";
import { toolEnvironment, tools } from "../tools/tools.ts";
import { Readme } from "./readme.ts";

/** A moment, to ask later what happened since. */
export interface Mark {
  readonly proxmox: number;
  readonly talos: number;
}

/** A config as its author edits it. */
export type Editable = Record<string, any>;

/** A config, the tree that the program makes of it, and the Proxmox that the tree is applied to, whatever its kind. */
export abstract class Site {
  readonly folder = temporaryFolder();
  readonly tree = join(this.folder, "infra");
  readonly proxmox: ProxmoxSimulator;
  protected readonly file = join(this.folder, "cluster.yaml");
  /** Who the tree is applied as: variables of the environment. */
  protected credentials: NodeJS.ProcessEnv = {};
  readonly #tools: { readonly tofu: string; readonly talosctl: string };
  #isStopped = false;

  protected constructor(proxmox: ProxmoxSimulator) {
    const { installed, reason } = tools();
    if (!installed) throw new Error(reason);
    this.#tools = installed;
    this.proxmox = proxmox;
  }

  /** Writes the config and generates. The token may do what the README says and no more. */
  protected async settleIn(config: string): Promise<void> {
    writeFileSync(this.file, config);
    await this.generate();
    this.credentials = { TF_VAR_proxmox_api_token: this.proxmox.grant(this.readme.token()) };
  }

  /** Once is enough, twice does no harm. */
  async stop(): Promise<void> {
    if (this.#isStopped) return;
    this.#isStopped = true;
    const failures: unknown[] = [];
    for (const end of this.ends()) await end().catch((error: unknown) => failures.push(error));
    if (failures.length > 0) throw failures[0];
  }

  /** What has to be ended, in this order. */
  protected ends(): readonly (() => Promise<void>)[] {
    return [() => this.proxmox.stop()];
  }

  get readme(): Readme {
    return new Readme(this.read("README.md"));
  }

  /** A file of the tree. */
  read(path: string): string {
    return readFileSync(join(this.tree, path), "utf8");
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(join(this.tree, path)), { recursive: true });
    writeFileSync(join(this.tree, path), text);
  }

  /** Runs the program; fails with its words if it refuses. Gives what the user is told to do around the next apply. */
  async generate(...options: string[]): Promise<readonly string[]> {
    return (await generate(this.file, this.tree, ...options)).notes;
  }

  /** Edits the config and generates again. What the program refuses leaves the config as it was. */
  async change(edit: (config: Editable) => void, ...options: string[]): Promise<readonly string[]> {
    const former = readFileSync(this.file, "utf8");
    const config = parse(former) as Editable;
    edit(config);
    writeFileSync(this.file, stringify(config, { lineWidth: 0 }));
    try {
      return await this.generate(...options);
    } catch (error) {
      writeFileSync(this.file, former);
      throw error;
    }
  }

  /** Runs tofu, which has to succeed. */
  async tofu(...words: readonly string[]): Promise<string> {
    return this.#succeed(`tofu ${words.join(" ")}`, await this.tryTofu(...words));
  }

  /** Runs tofu, whatever comes of it. */
  async tryTofu(...words: readonly string[]): Promise<Ending> {
    return this.#settle(run(this.#tools.tofu, words, { cwd: this.tree, env: this.#environment() }));
  }

  async apply(...words: readonly string[]): Promise<string> {
    return this.tofu("apply", ...words);
  }

  /** Whether a plan would change nothing. */
  async expectEmptyPlan(...words: readonly string[]): Promise<void> {
    await this.tofu("plan", "-detailed-exitcode", ...words);
  }

  /** Runs a line as someone would type it in the folder of the tree; tofu's questions are answered with yes. */
  async shell(words: string): Promise<string> {
    const ending = run("bash", ["-euc", words], { cwd: this.tree, env: this.#environment() });
    return this.#succeed(words, await this.#settle(ending));
  }

  mark(): Mark {
    return { proxmox: this.proxmox.mark(), talos: 0 };
  }

  /** The requests that changed something in Proxmox since, `PUT /nodes/pve1/qemu/141/config`, sorted. */
  writes({ proxmox }: Mark): readonly string[] {
    return this.proxmox
      .writes(proxmox)
      .map(({ method, path }) => `${method} ${path}`)
      .sort();
  }

  /** Puts a marker into every volume that a VM could lose, and says which there are. */
  putMarkers(): Readonly<Record<string, string>> {
    for (const volume of this.proxmox.cluster.volumes)
      if (volume.content === "images") volume.marker ??= `data of ${volume.storage}:${volume.name}`;
    return this.markers();
  }

  /** What is in the volumes, by volume id and, where it is not shared, node. */
  markers(): Readonly<Record<string, string>> {
    const entries = [...this.proxmox.cluster.volumes].flatMap(({ storage, name, node, marker }) =>
      marker === undefined
        ? []
        : [[`${storage}:${name}${node === undefined ? "" : ` on ${node}`}`, marker] as const],
    );
    return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** Nothing was asked for that was refused or is not known. */
  assertNoRefusals(): void {
    this.proxmox.assertNoRefusals();
  }

  /** The last requests to each server. */
  log(count = 40): string {
    return Object.entries(this.logs())
      .map(([name, lines]) => [`Last requests to ${name}:`, ...lines.slice(-count)].join("\n  "))
      .join("\n");
  }

  protected logs(): Readonly<Record<string, readonly string[]>> {
    return { Proxmox: this.proxmox.requests.map(line) };
  }

  /** Waits for what tofu has set going. */
  protected async settled(): Promise<void> {}

  #environment(): NodeJS.ProcessEnv {
    const plain = "-no-color -input=false";
    const inherited = toolEnvironment();
    const { tofu, talosctl } = this.#tools;
    return {
      ...inherited,
      ...this.credentials,
      HOME: this.folder,
      PATH: [dirname(tofu), dirname(talosctl), inherited["PATH"]].join(delimiter),
      TF_CLI_ARGS_init: plain,
      TF_CLI_ARGS_plan: plain,
      TF_CLI_ARGS_import: plain,
      TF_CLI_ARGS_apply: `${plain} -auto-approve`,
      TF_CLI_ARGS_destroy: `${plain} -auto-approve`,
    };
  }

  async #settle(ending: Promise<Ending>): Promise<Ending> {
    const ended = await ending;
    await this.settled();
    return ended;
  }

  #succeed(words: string, { exitCode, stdout, stderr }: Ending): string {
    if (exitCode === 0) return stdout;
    const last = stdout.split("\n").slice(-60).join("\n");
    throw new Error(`${words} ended with ${exitCode}:\n${last}${stderr}\n${this.log()}`);
  }
}
