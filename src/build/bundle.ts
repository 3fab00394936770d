import { build, type BuildOptions } from "esbuild";

/** One file without any dependency. Names are kept, so that stack traces stay readable. */
const options = {
  bundle: true,
  platform: "node",
  target: "node20",
  format: "cjs",
  charset: "ascii",
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: "none",
  logLevel: "warning",
} as const satisfies BuildOptions;

/** The file that Node is started with. */
export async function bundleLauncher(outfile: string): Promise<void> {
  await build({
    ...options,
    entryPoints: ["src/launcher.ts"],
    outfile,
    banner: { js: "#!/usr/bin/env node" },
  });
}

/** yargs asks for the place of its module; there is but this one, and only help wants to know. */
const place = `const place = { get url() { return require("node:url").pathToFileURL(__filename).href; } };`;

/** The program as a function that the launcher compiles and calls. */
export async function bundleProgram(outfile: string): Promise<void> {
  await build({
    ...options,
    entryPoints: ["src/cli.ts"],
    outfile,
    banner: { js: `(function (require, __filename) {\n${place}` },
    footer: { js: "})" },
    define: { "import.meta.url": "place.url" },
    alias: {
      "string-width": "./src/build/string-width.ts",
      // The same as for Node, but in modules, of which the bundler leaves out what nobody calls.
      yaml: "./node_modules/yaml/browser/index.js",
    },
  });
}
