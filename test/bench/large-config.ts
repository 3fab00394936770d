const HOSTS = 16;

/** A config with so many nodes, all with an address and ids of their own, and volumes of every type. */
export function largeConfig(nodeCount: number): string {
  const nodes = numbered(nodeCount, (index) => {
    const type = index < 3 ? "controlplane" : "worker";
    const ip = `10.${(index >> 16) + 1}.${(index >> 8) & 255}.${index & 255}`;
    const place = `host_node: ${host(index)}, vm_id: ${100_000 + index}, ip: ${ip}`;
    return `  node-${index}: { machine_type: ${type}, ${place}, cpu: 4, ram_dedicated: 8192 }`;
  });
  const volumes = [
    "  cache: { type: directory, size: 10G }",
    "  longhorn: { type: disk, size: 50G }",
    "  scratch: { type: disk, size: 20G, machine_type: all }",
    ...numbered(
      nodeCount / 10,
      (index) => `  csi-${index}: { type: proxmox-csi, node: ${host(index)}, size: ${index + 1}G }`,
    ),
  ];
  return `cluster:
  name: large
  proxmox_cluster: homelab
  gateway: 10.0.0.1
  subnet_mask: "8"
  vip: 10.0.0.2
  kubernetes_version: v1.35.0
  gateway_api_version: v1.3.0
image:
  version: v1.13.0
nodes:
${nodes.join("\n")}
proxmox:
  cluster_name: homelab
  endpoint: https://pve.example.com:8006
  insecure: false
  username: terraform
volumes:
${volumes.join("\n")}
`;
}

function numbered(count: number, line: (index: number) => string): string[] {
  return Array.from({ length: Math.floor(count) }, (_, index) => line(index));
}

function host(index: number): string {
  return `pve${(index % HOSTS) + 1}`;
}
