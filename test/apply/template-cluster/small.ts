/** A cluster as small as can be that has all of its parts: two templates, a control plane, a worker. */
export const small = `
kind: template-cluster
proxmox_config:
  endpoint: https://pve.example.com:8006
  vm_datastore: tank
network_config:
  cidr: 10.1.2.0/24
  gateway: 10.1.2.1
cluster_config:
  name: lab
  talos_version: v1.13.0
  vip_ip: 10.1.2.9
node_distribution:
  pve1: { controlplane_count: 1, worker_count: 0 }
  pve2: { controlplane_count: 0, worker_count: 1 }
`;
