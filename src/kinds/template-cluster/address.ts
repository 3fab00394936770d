/** Where a machine is in the state. */
export function resourceOf(
  resource: "controlplane" | "released_controlplane" | "worker",
  name: string,
): string {
  return `module.proxmox-infrastructure.proxmox_virtual_environment_vm.${resource}["${name}"]`;
}
