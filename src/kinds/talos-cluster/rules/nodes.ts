import { entries, rule } from "./rule.ts";

export const nodeRules = [
  rule("control-plane", ({ config }, say) => {
    if (config.nodes === undefined || Object.values(config.nodes).some(isUnknownOrControlPlane)) return;
    const hint = "give one node, or three for high availability, machine_type: controlplane";
    say.error(["nodes"], "no node is a control plane", { at: "key", hint });
  }),

  rule("even-control-planes", ({ config }, say) => {
    const count = controlPlanes(config).length;
    if (count === 0 || count % 2 === 1) return;
    const reason = `etcd needs more than half of them to agree, so ${count} survive no more failures than ${count - 1}`;
    say.warning(["nodes"], `there are ${count} control planes; ${reason}`, {
      at: "key",
      hint: "use an odd number",
    });
  }),

  rule("no-endpoint-failover", ({ config }, say) => {
    if (config.cluster === undefined || config.cluster.vip !== null || controlPlanes(config).length < 2)
      return;
    const message =
      "has several control planes and no vip, so the cluster's endpoint is one machine and fails with it";
    say.warning(["cluster"], message, { at: "key", hint: "add vip: with a free address of the subnet" });
  }),

  rule("nowhere-to-schedule", ({ config }, say) => {
    if (config.nodes === undefined || config.cluster?.allow_scheduling_on_controlplane !== false) return;
    if (Object.values(config.nodes).some((node) => node?.machine_type !== "controlplane")) return;
    const hint = "add a worker, or set cluster.allow_scheduling_on_controlplane: true";
    say.warning(["nodes"], "there is no worker, and control planes take no workloads", { at: "key", hint });
  }),

  rule("small-control-plane", ({ config }, say) => {
    for (const [name, { cpu = 2, ram_dedicated = 2048 }] of controlPlanes(config)) {
      if (cpu < 2) say.warning(["nodes", name, "cpu"], `a control plane needs 2 cores at least, not ${cpu}`);
      if (ram_dedicated < 2048) {
        const message = `a control plane needs 2048 MiB at least, not ${ram_dedicated}`;
        say.warning(["nodes", name, "ram_dedicated"], message);
      }
    }
  }),
];

type Config = Parameters<Parameters<typeof rule>[1]>[0]["config"];

function controlPlanes(config: Config) {
  return entries(config.nodes).filter(([, node]) => node.machine_type === "controlplane");
}

function isUnknownOrControlPlane(node: { readonly machine_type?: string } | undefined): boolean {
  return node?.machine_type === undefined || node.machine_type === "controlplane";
}
