import { ownedBy, uses } from "./allocation.ts";
import type { Call } from "./call.ts";
import type { Vm } from "./cluster.ts";
import { fileOf, isDriveSlot, parseDrive } from "./drive.ts";
import { flag, natural, nodeName, optional, text } from "./formats.ts";
import { vmPlace } from "./qemu-options.ts";
import { failure, invalid } from "./refusal.ts";
import type { Route } from "./router.ts";
import { findStorage, parseVolumeId, parseVolumeName, storageOn, volumeId } from "./storage.ts";
import { runTask } from "./tasks.ts";
import { findVm } from "./vms.ts";

/** Moving a VM to another node: its own volumes on storages that are not shared go along. */
function migrate(call: Call): Promise<string> {
  const { cluster } = call;
  const target = call.need("target");
  if (target === call.node) throw invalid({ target: "target is local node." });
  if (!cluster.nodes.has(target)) throw failure(`no such cluster node '${target}'`);
  const vm = findVm(call);
  if (vm.isRunning && !call.isSet("online")) throw failure("can't migrate running VM without --online");
  const local = localVolumes(call, vm);
  for (const { storage } of local) storageOn(cluster, storage, target);
  return runTask(call, call.node, "qmigrate", String(vm.vmid), () => {
    const obstacle = findObstacle(call, vm, local);
    if (obstacle !== undefined) throw failure("migration aborted", obstacle);
    for (const volume of ownedBy(cluster, vm.vmid, vm.node)) {
      if (volume.node === undefined) continue;
      const other = [...cluster.vms.values()].find(
        (each) => each !== vm && each.isRunning && uses(cluster, each, volume),
      );
      if (other !== undefined)
        cluster.hazards.push(
          `volume ${volumeId(volume)} left node ${vm.node}, where VM ${other.vmid} runs with it`,
        );
      volume.node = target;
    }
    vm.node = target;
  });
}

interface LocalVolume {
  readonly volid: string;
  readonly storage: string;
  readonly owner: number | undefined;
}

function findObstacle(call: Call, vm: Vm, local: readonly LocalVolume[]): string | undefined {
  const foreign = local.find(({ owner }) => owner !== vm.vmid);
  if (foreign !== undefined)
    return `can't migrate local disk '${foreign.volid}': owned by other VM (owner = VM ${foreign.owner})`;
  if (!vm.isRunning) return undefined;
  if (local.length > 0 && !call.isSet("with-local-disks"))
    return "can't live migrate attached local disks without with-local-disks option";
  const device = [...vm.config.keys()].find((key) => /^hostpci\d+$/.test(key));
  return device === undefined ? undefined : `can't migrate running VM which uses mapped devices: ${device}`;
}

function localVolumes(call: Call, vm: Vm): readonly LocalVolume[] {
  return [...vm.config].flatMap(([slot, value]) => {
    const volid = isDriveSlot(slot) ? fileOf(parseDrive(slot, value)!) : "none";
    const id = parseVolumeId(volid);
    if (id === undefined) return [];
    const storage = findStorage(call.cluster, id.storage);
    if (storage.isShared) return [];
    return [{ volid, storage: storage.id, owner: parseVolumeName(storage, id.name).owner }];
  });
}

export const migrationRoutes: readonly Route[] = [
  {
    method: "POST",
    path: "nodes/{node}/qemu/{vmid}/migrate",
    parameters: {
      ...vmPlace,
      target: nodeName,
      online: optional(flag),
      "with-local-disks": optional(flag),
      targetstorage: optional(text),
      bwlimit: optional(natural),
    },
    allow: (call) => call.check(`/vms/${call.vmid}`, "VM.Migrate"),
    answer: migrate,
  },
];
