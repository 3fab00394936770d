import { kubernetesTools, tools, type Found, type KubernetesTools, type Tools } from "../../tools/tools.ts";

/** Everything that was built. The runner leaves these files out where something is missing, and says so. */
export function builtTools(): Tools & KubernetesTools {
  return { ...found(tools()), ...found(kubernetesTools()) };
}

function found<Paths>({ installed, reason }: Found<Paths>): Paths {
  if (installed === undefined) throw new Error(reason);
  return installed;
}
