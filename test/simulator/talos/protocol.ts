import { readFileSync } from "node:fs";
import protobuf from "protobufjs";

const source = readFileSync(new URL("talos-api.proto", import.meta.url), "utf8");
const { root } = protobuf.parse(source);

/** A message as an object; its keys in camel case, numbers of 64 bits as numbers. */
export type Fields = Readonly<Record<string, unknown>>;

export function encode(type: string, fields: Fields): Buffer {
  const message = root.lookupType(type);
  const problem = message.verify(fields);
  if (problem) throw new Error(`${type}: ${problem}`);
  return Buffer.from(message.encode(message.fromObject(fields)).finish());
}

export function decode(type: string, bytes: Buffer): Fields {
  const message = root.lookupType(type);
  return message.toObject(message.decode(bytes), { defaults: true, longs: Number });
}

interface Method {
  readonly request: string;
  readonly response: string;
  /** How the answers of several nodes become one: the type of each, or `undefined` if only one node can be asked. */
  readonly message?: string;
}

const machine = "/machine.MachineService/";
const state = "/cosi.resource.State/";

/** Every method that a node knows, by its path. */
export const methods: Readonly<Record<string, Method>> = {
  "/storage.StorageService/Disks": { request: "Empty", response: "DisksResponse", message: "Disks" },
  [`${machine}ApplyConfiguration`]: {
    request: "ApplyConfigurationRequest",
    response: "ApplyConfigurationResponse",
    message: "ApplyConfiguration",
  },
  [`${machine}Bootstrap`]: { request: "Empty", response: "BootstrapResponse", message: "Bootstrap" },
  [`${machine}Kubeconfig`]: { request: "Empty", response: "Data" },
  [`${machine}ServiceList`]: { request: "Empty", response: "ServiceListResponse", message: "ServiceList" },
  [`${machine}EtcdMemberList`]: {
    request: "Empty",
    response: "EtcdMemberListResponse",
    message: "EtcdMembers",
  },
  [`${machine}Version`]: { request: "Empty", response: "VersionResponse", message: "Version" },
  [`${machine}Memory`]: { request: "Empty", response: "MemoryResponse", message: "Memory" },
  [`${machine}Reset`]: { request: "Empty", response: "Empty" },
  [`${state}Get`]: { request: "ResourceRequest", response: "ResourceResponse" },
  [`${state}List`]: { request: "ResourceRequest", response: "ResourceResponse" },
  [`${state}Watch`]: { request: "ResourceRequest", response: "WatchResponse" },
};
