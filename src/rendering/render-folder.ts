import { render } from "./render.ts";
import { templateNames } from "./template-names.ts";
import type { TreeFile } from "../tree.ts";

/** Every template below a folder as the file of the same path. A file without a view of its own knows only its source. */
export function renderFolder(
  folder: string,
  views: Readonly<Record<string, object>>,
  source: string,
): Map<string, TreeFile> {
  const files = templateNames(folder).map((name): [string, TreeFile] => {
    const path = name.slice(folder.length);
    return [path, { text: render(name, views[path] ?? { source }), once: false }];
  });
  return new Map(files.sort(([a], [b]) => (a < b ? -1 : 1)));
}
