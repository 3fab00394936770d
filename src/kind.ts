import type { Finding } from "./problem.ts";
import type { Tree } from "./tree.ts";

/** The part of a config that passed the schema: what was wrong or missing is not there. */
export type Sound<T> = T extends readonly (infer Item)[]
  ? readonly Sound<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]?: Sound<T[Key]> }
    : T;

/** One error of the JSON Schema validator. */
export interface SchemaError {
  readonly instancePath: string;
  readonly schemaPath: string;
  readonly keyword: string;
  readonly params: Record<string, unknown>;
  readonly parentSchema?: unknown;
  readonly data?: unknown;
}

/** A validator that the build compiled from the JSON Schema. */
export interface SchemaValidator {
  (data: unknown): boolean;
  errors?: readonly SchemaError[] | null;
}

/** All that a kind may know beside the config. */
export interface Surroundings {
  /** Name of the config, as headers mention it; null for the built-in example. */
  readonly source: string | null;
  /** Text of a user's file by its path relative to the tree; undefined where there is none. */
  readonly read: (path: string) => string | undefined;
  /** What this kind had remembered in the lock, if the tree exists. */
  readonly memory: unknown;
  /** Nodes and volumes that may be destroyed, and those that were changed by hand, by name. */
  readonly allowDestroy: ReadonlySet<string>;
  readonly accept: ReadonlySet<string>;
}

/** What a config becomes. */
export interface Generated {
  readonly tree: Tree;
  /** What the next run must know; goes into the lock. */
  readonly memory: unknown;
  /** What the user has to do by hand for this change, as paragraphs. */
  readonly notes: readonly string[];
}

/** One documented system. Everything outside of a kind's own folder knows only this much of it. */
export interface Kind {
  readonly name: string;
  readonly schema: object;
  readonly validate: SchemaValidator;
  /** Keys that the documents also spell another way: wrong spelling → right one. */
  readonly spellings: Readonly<Record<string, string>>;
  /** A small config that works as it is. */
  readonly example: string;
  /** The commented config that `init` writes. */
  readonly starter: string;
  /** Whether this can be what `generate` had remembered; a lock that was tampered with holds anything. */
  isMemory(value: unknown): boolean;
  /** The rules. They see only what passed the schema. */
  check(config: never, surroundings: Surroundings): readonly Finding[];
  /** The tree of a config without errors. */
  generate(config: never, surroundings: Surroundings): Generated;
}
