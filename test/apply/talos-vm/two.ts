/** Two VMs: one as it comes, on a node without a template; one with its own address and a GPU, from a template by its id. */
export const two = `
kind: talos-vm
proxmox:
  endpoint: https://pve.example.com:8006
vms:
  plain:
    node: pve1
    template: talos-v1.13.0-base
  gpu:
    node: pve2
    template: 9000
    disk_pool: tank
    mac_address: bc:24:11:00:00:11
    gpu_mapping: gpu
`;
