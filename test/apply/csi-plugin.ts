import * as assert from "uvu/assert";
import { parse } from "yaml";
import { ask, type Answer } from "../simulator/proxmox/client.ts";
import { csiDisk, csiVolumes } from "./expected-proxmox.ts";
import type { World } from "./world.ts";

interface Account {
  readonly url: string;
  readonly token_id: string;
  readonly token_secret: string;
}

/** Does what the plugin would do, with nothing but the secret that it finds in Kubernetes. */
export class CsiPlugin {
  readonly #world: World;
  readonly #account: Account;

  private constructor(world: World, account: Account) {
    this.#world = world;
    this.#account = account;
  }

  static async start(world: World): Promise<CsiPlugin> {
    const path = "/api/v1/namespaces/csi-proxmox/secrets/proxmox-csi-plugin";
    const { data = {} } = await world.kubernetes.client.get(path);
    const text = Buffer.from(data["config.yaml"] ?? "", "base64").toString();
    return new CsiPlugin(world, (parse(text) as { clusters: [Account] }).clusters[0]);
  }

  /** Makes a volume for a claim and plugs it into the VM of a machine; gives the slot and the volume id. */
  async provision(node: string, claim: string): Promise<readonly [slot: string, volid: string]> {
    const { host_node, datastore } = this.#world.config.nodes[node]!;
    const isFile = this.#world.config.datastores[datastore]?.kind === "file";
    const filename = `vm-9999-pvc-${claim}${isFile ? ".raw" : ""}`;
    const made = await this.#ask("POST", `nodes/${host_node}/storage/${datastore}/content`, {
      filename,
      format: "raw",
      size: "1G",
      vmid: 9999,
    });
    const volid = String(made.data);
    return [await this.attach(node, volid), volid];
  }

  /** The first free slot from scsi1 on, as the plugin looks for it. */
  async attach(node: string, volid: string): Promise<string> {
    const { host_node, vm_id } = this.#world.config.nodes[node]!;
    const path = `nodes/${host_node}/qemu/${vm_id}/config`;
    const { data } = await this.#ask("GET", path);
    const slots = Array.from({ length: 29 }, (_, index) => `scsi${index + 1}`);
    const slot = slots.find((name) => !(name in (data as object)))!;
    await this.#ask("PUT", path, { [slot]: `${volid},backup=0,iothread=1,wwn=0x5056432d49443030` });
    return slot;
  }

  /** Plugs each volume of the config into a machine that can reach it, if there is one. */
  async attachAll(): Promise<void> {
    const { config } = this.#world;
    for (const [name, volume] of csiVolumes(config)) {
      const isShared = config.datastores[volume.datastore]?.shared ?? false;
      const [machine] =
        Object.entries(config.nodes).find(([, { host_node }]) => isShared || host_node === volume.node) ?? [];
      if (machine !== undefined)
        await this.attach(machine, `${volume.datastore}:${csiDisk(config, name, volume)}`);
    }
  }

  /** Nobody who has the plugin's secret can stop a VM. */
  async expectNoPower(node: string): Promise<void> {
    const { host_node, vm_id } = this.#world.config.nodes[node]!;
    this.#world.proxmox.expectRefusals(/status\/stop .*-> 403/);
    const { status } = await this.#send("POST", `nodes/${host_node}/qemu/${vm_id}/status/stop`);
    assert.is(status, 403);
  }

  async #ask(method: string, path: string, parameters: Readonly<Record<string, unknown>> = {}) {
    const answer = await this.#send(method, path, parameters);
    assert.is(answer.status, 200, `${method} ${path}: ${answer.reason} ${answer.message ?? ""}`);
    return answer;
  }

  #send(method: string, path: string, parameters: Readonly<Record<string, unknown>> = {}): Promise<Answer> {
    const { url, token_id, token_secret } = this.#account;
    const headers = { authorization: `PVEAPIToken=${token_id}=${token_secret}` };
    return ask(url.replace(/\/api2\/json$/, ""), headers, { method, path, parameters });
  }
}
