import type { Call } from "./call.ts";
import type { PciMapping } from "./cluster.ts";
import { configId, digest, flag, nodeName, optional, text } from "./formats.ts";
import { propertyString } from "./property-string.ts";
import { failure } from "./refusal.ts";
import type { Route } from "./router.ts";

/** `cluster/mapping/pci`: names for devices of the nodes. */
const device = propertyString({
  fields: {
    node: {},
    path: { pattern: /^[0-9a-f]{4}:[0-9a-f]{2}:[0-9a-f]{2}(\.[0-9a-f])?(;.*)?$/i },
    id: { pattern: /^[0-9a-f]{4}:[0-9a-f]{4}$/i },
    "subsystem-id": { isOptional: true, pattern: /^[0-9a-f]{4}:[0-9a-f]{4}$/i },
    iommugroup: { isOptional: true, type: "integer" },
    description: { isOptional: true },
  },
});
const fields = {
  id: configId,
  map: { ...device, isList: true },
  description: optional(text),
  mdev: optional(flag),
  "live-migration-capable": optional(flag),
};

const where = (call: Call): string => `/mapping/pci/${call.get("id") ?? ""}`;
const mayModify = (call: Call): void => call.check(where(call), "Mapping.Modify");

function find(call: Call): PciMapping {
  const mapping = call.cluster.pciMappings.get(call.need("id"));
  if (mapping === undefined) throw failure(`mapping '${call.need("id")}' not found`);
  return mapping;
}

const describe = (id: string, { map, description, mdev }: PciMapping): Readonly<Record<string, unknown>> => ({
  id,
  map,
  ...(description === "" ? {} : { description }),
  ...(mdev ? { mdev: 1 } : {}),
});

const given = (call: Call): PciMapping => ({
  map: call.parameters.all("map"),
  description: call.get("description") ?? "",
  mdev: call.isSet("mdev"),
});

const mayLook = ["Mapping.Modify", "Mapping.Use", "Mapping.Audit"];

export const pciMappingRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "cluster/mapping/pci",
    parameters: { "check-node": optional(nodeName) },
    answer: (call) =>
      [...call.cluster.pciMappings]
        .filter(([id]) => call.mayAny(`/mapping/pci/${id}`, ...mayLook))
        .map(([id, mapping]) => describe(id, mapping)),
  },
  {
    method: "GET",
    path: "cluster/mapping/pci/{id}",
    parameters: { id: configId },
    allow: (call) => call.checkAny(where(call), ...mayLook),
    answer: (call) => describe(call.need("id"), find(call)),
  },
  {
    method: "POST",
    path: "cluster/mapping/pci",
    parameters: fields,
    allow: (call) => call.check("/mapping/pci", "Mapping.Modify"),
    answer: (call) => {
      if (call.cluster.pciMappings.has(call.need("id")))
        throw failure(`PCI ID '${call.need("id")}' already defined`);
      call.cluster.pciMappings.set(call.need("id"), given(call));
    },
  },
  {
    method: "PUT",
    path: "cluster/mapping/pci/{id}",
    parameters: { ...fields, delete: optional(text), digest: optional(digest) },
    allow: mayModify,
    answer: (call) => {
      find(call);
      call.cluster.pciMappings.set(call.need("id"), given(call));
    },
  },
  {
    method: "DELETE",
    path: "cluster/mapping/pci/{id}",
    parameters: { id: configId },
    allow: (call) => call.check("/mapping/pci", "Mapping.Modify"),
    answer: (call) => {
      find(call);
      call.cluster.pciMappings.delete(call.need("id"));
    },
  },
];
