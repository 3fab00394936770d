import { needsRoot, parseVms, readVms, type Vm, type Vms } from "../../kinds/talos-vm/expected.ts";
import { ProxmoxSimulator, type SimulatorOptions } from "../../simulator/proxmox/simulator.ts";
import { addForeigners } from "../foreign.ts";
import { moved } from "../loopback.ts";
import { Site } from "../site.ts";

/** Where templates are that no node has of its own: they are cloned there, and the VM moves. */
const STORE = "store";

/** All that a tree of cloned VMs is applied to, and the tree, made from a config. */
export class World extends Site {
  static async start(config: string): Promise<World> {
    const vms = parseVms(config);
    const proxmox = await ProxmoxSimulator.start(proxmoxOf(vms));
    const world = new World(proxmox);
    try {
      await world.settleIn(
        moved(config, { addresses: [], proxmox: "proxmox" }, { endpoint: proxmox.endpoint }),
      );
      if (needsRoot(vms))
        world.credentials = { TF_VAR_proxmox_username: "root@pam", TF_VAR_proxmox_password: "secret" };
      addForeigners(proxmox, { datastores: ["local-lvm"], tags: "talos" });
      addTemplates(proxmox, vms);
      await world.tofu("init");
      return world;
    } catch (error) {
      await world.stop();
      throw error;
    }
  }

  /** As they stand in the config now, with the documented defaults. */
  get vms(): Vms {
    return readVms(this.file);
  }
}

/** A Proxmox cluster that has what a config takes for granted. */
function proxmoxOf(vms: Vms): SimulatorOptions {
  const all = Object.values(vms);
  const hosts = [...new Set([...all.map(({ node }) => node), STORE])];
  const bridges = [...new Set(["vmbr0", ...all.map(({ network_bridge }) => network_bridge)])];
  const pools = [...new Set(["local-lvm", ...all.map(({ disk_pool }) => disk_pool)])];
  const mappings = new Set(all.flatMap(({ gpu_mapping }) => gpu_mapping ?? []));
  return {
    nodes: Object.fromEntries(hosts.map((host) => [host, { bridges }])),
    storages: pools.map((id) => ({
      id,
      type: id === "local-lvm" ? "lvmthin" : "zfspool",
      content: ["images", "rootdir"],
      isShared: false,
    })),
    pciMappings: Object.fromEntries(
      [...mappings].map((mapping) => [
        mapping,
        hosts.map((node) => `id=10de:1eb8,node=${node},path=0000:01:00.0`),
      ]),
    ),
  };
}

/** What is in the disk of a VM that was cloned from the right template. */
export const contentOf = ({ template }: Pick<Vm, "template">): string => `Talos of ${template}`;

/** The templates that are asked for, and beside each what could be mistaken for it. */
function addTemplates(proxmox: ProxmoxSimulator, vms: Vms): void {
  const wanted = new Map(Object.values(vms).map((vm) => [String(vm.template), vm]));
  let free = 9100;
  const add = (vmid: number, node: string, name: string, content: string, isTemplate = true): void => {
    const disks = { scsi0: { storage: "local-lvm", sizeGib: 5 } };
    const { config } = proxmox.addForeignVm({ vmid, node, name, disks });
    for (const [key, value] of Object.entries({ boot: "order=scsi0", ostype: "l26" })) config.set(key, value);
    if (isTemplate) config.set("template", "1");
    proxmox.putMarker(config.get("scsi0")!.split(",")[0]!, content, node);
  };
  for (const [template, { node }] of wanted) {
    if (/^\d+$/.test(template)) {
      add(Number(template), STORE, `numbered-${template}`, contentOf({ template }));
      add(free++, node, template, "a template whose name is the id of another");
    } else {
      add(free++, node, `${template}-2`, "a template whose name begins the same");
      add(free++, node, template.toUpperCase(), "a template whose name is spelt in capitals");
      add(free++, node, template, "a VM of the same name", false);
      add(free++, node, template, contentOf({ template }));
    }
  }
}
