/** A config that nothing is wrong with. */
export const VALID = `cluster:
  gateway: 10.1.2.254
  gateway_api_version: v1.3.0
  kubernetes_version: v1.35.0
  name: dev-talos
  proxmox_cluster: homelab
image:
  version: v1.13.0
nodes:
  controller1:
    cpu: 2
    host_node: pve1
    ip: 10.1.2.3
    machine_type: controlplane
    ram_dedicated: 4096
    vm_id: 141
  worker1:
    cpu: 4
    host_node: pve1
    ip: 10.1.2.4
    machine_type: worker
    ram_dedicated: 8192
    vm_id: 142
proxmox:
  cluster_name: homelab
  endpoint: https://pve.example.com:8006
  insecure: false
  username: terraform
`;

export function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** The valid config with one piece of text replaced. */
export function edited(from: string, to: string): string {
  if (!VALID.includes(from)) throw new Error(`the example has no ${from}`);
  return VALID.replace(from, to);
}
