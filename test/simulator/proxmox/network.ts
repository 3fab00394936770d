import { randomBytes } from "node:crypto";
import type { Call } from "./call.ts";
import { parseProperties, printProperties, type Fields, type Parsed } from "./property-string.ts";
import type { Property } from "./schema.ts";

/** Network devices of a VM, and who may plug them into a bridge. */
const models = ["e1000", "e1000e", "rtl8139", "virtio", "vmxnet3"];
const mac: Property = {
  isOptional: true,
  format: (value) =>
    /^[0-9a-f][02468ace](:[0-9a-f]{2}){5}$/i.test(value)
      ? undefined
      : "value does not look like a valid unicast MAC address\n",
};

export const networkFields: Fields = {
  fields: {
    model: { isOptional: true, values: models },
    ...Object.fromEntries(models.map((model) => [model, mac])),
    macaddr: mac,
    bridge: { isOptional: true, pattern: /^[-_.\w\d]+$/ },
    firewall: { type: "boolean", isOptional: true },
    link_down: { type: "boolean", isOptional: true },
    mtu: { type: "integer", minimum: 1, maximum: 65520, isOptional: true },
    queues: { type: "integer", minimum: 0, maximum: 64, isOptional: true },
    rate: { type: "number", minimum: 0, isOptional: true },
    tag: { type: "integer", minimum: 1, maximum: 4094, isOptional: true },
    trunks: { isOptional: true, pattern: /^\d+(-\d+)?(;\d+(-\d+)?)*$/ },
  },
  defaultField: "model",
};

export const isNetworkDevice = (key: string): boolean => /^net\d+$/.test(key);

export function parseNetwork(value: string): Parsed {
  const parsed = parseProperties(value, networkFields, "net");
  if (typeof parsed === "string") return new Map();
  const model = models.find((name) => parsed.has(name));
  if (model !== undefined) {
    parsed.set("model", model);
    parsed.set("macaddr", parsed.get(model)!);
    parsed.delete(model);
  }
  return parsed;
}

/** As the server keeps it: `virtio=<MAC>` first, an address made up if none was given. */
export function normalNetwork(value: string, isNewAddress = false): string {
  const parsed = parseNetwork(value);
  const address = isNewAddress ? undefined : parsed.get("macaddr")?.toUpperCase();
  const model = parsed.get("model") ?? "virtio";
  parsed.delete("model");
  parsed.delete("macaddr");
  return [`${model}=${address ?? randomAddress()}`, printProperties(parsed)]
    .filter((part) => part !== "")
    .join(",");
}

function randomAddress(): string {
  const bytes = [...randomBytes(3)].map((byte) => byte.toString(16).toUpperCase().padStart(2, "0"));
  return ["BC", "24", "11", ...bytes].join(":");
}

export function checkBridgeAccess(call: Call, config: Iterable<readonly [string, string]>): void {
  for (const [key, value] of config) {
    if (!isNetworkDevice(key)) continue;
    const device = parseNetwork(value);
    const bridge = device.get("bridge");
    if (bridge === undefined) continue;
    const path = `/sdn/zones/localnetwork/${bridge}`;
    const tag = device.get("tag");
    call.check(tag === undefined ? path : `${path}/${tag}`, "SDN.Use");
  }
}
