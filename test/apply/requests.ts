/** A machine with disk volumes at these slots of its main VM, each owned by the VM `<id><slot>`. */
export interface Machine {
  readonly host: string;
  readonly id: number;
  readonly slots: readonly number[];
}

/** A data VM, a VM for each disk volume, the main VM from the image, and each volume plugged in. */
export function making(machine: Machine): readonly string[] {
  const { host, id, slots } = machine;
  const owners = [0, ...slots].map((index) => `POST /nodes/${host}/qemu vmid=${id}${index}`);
  return [...owners, ...makingMain(machine)];
}

/** Each volume unplugged, the main VM stopped, and all its VMs deleted. */
export function removing(machine: Machine): readonly string[] {
  const { host, id, slots } = machine;
  const owners = [0, ...slots].map((index) => `DELETE /nodes/${host}/qemu/${id}${index}/`);
  return [...owners, ...removingMain(machine)];
}

/** The main VM made anew; no VM that owns a disk is named. */
export function rebuilding(machine: Machine): readonly string[] {
  return [...removingMain(machine), ...makingMain(machine)];
}

/** What goes with a main VM alone. */
export function ownVolumes({ host, id }: Machine): readonly string[] {
  return [`local-zfs:vm-${id}-cloudinit on ${host}`, `local-zfs:vm-${id}-disk-0 on ${host}`];
}

function makingMain({ host, id, slots }: Machine): readonly string[] {
  return [
    `POST /nodes/${host}/qemu vmid=${id}`,
    `PUT /nodes/${host}/qemu/${id}/resize disk=scsi0 size=5G`,
    `POST /nodes/${host}/qemu/${id}/status/start`,
    ...slots.map((slot) => `PUT /nodes/${host}/qemu/${id}/config virtio${slot}`),
  ];
}

function removingMain({ host, id, slots }: Machine): readonly string[] {
  return [
    ...slots.map((slot) => `PUT /nodes/${host}/qemu/${id}/config delete=virtio${slot}`),
    `POST /nodes/${host}/qemu/${id}/status/stop`,
    `DELETE /nodes/${host}/qemu/${id}/`,
  ];
}
