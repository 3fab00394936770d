import type { Call } from "./call.ts";
import type { Pool } from "./cluster.ts";
import { flag, optional, splitList, text } from "./formats.ts";
import { failure } from "./refusal.ts";
import type { Route } from "./router.ts";
import type { Property } from "./schema.ts";

/** `pools`: only those are shown that one may look at. */
const poolid: Property = { pattern: /^[A-Za-z0-9.\-_]+(\/[A-Za-z0-9.\-_]+){0,2}$/ };

function find(call: Call): Pool {
  const id = call.need("poolid");
  const pool = call.cluster.pools.get(id);
  if (pool === undefined) throw failure(`pool '${id}' does not exist`);
  return pool;
}

const mayAllocate = (call: Call): void => call.check(`/pool/${call.get("poolid") ?? ""}`, "Pool.Allocate");

function list(call: Call): readonly unknown[] {
  const wanted = call.get("poolid");
  if (wanted !== undefined) {
    call.checkAny(`/pool/${wanted}`, "Pool.Audit");
    const pool = find(call);
    const members = [...pool.vms].map((id) => ({
      id: `qemu/${id}`,
      type: "qemu",
      vmid: id,
      node: call.cluster.vms.get(id)?.node,
    }));
    return [{ poolid: wanted, comment: pool.comment, members }];
  }
  return [...call.cluster.pools]
    .filter(([id]) => call.mayAny(`/pool/${id}`, "Pool.Audit", "Pool.Allocate"))
    .map(([id, { comment }]) => ({ poolid: id, comment }));
}

function change(call: Call): void {
  const pool = find(call);
  pool.comment = call.get("comment") ?? pool.comment;
  for (const id of splitList(call.get("vms") ?? "").map(Number)) {
    call.check(`/vms/${id}`, "Permissions.Modify");
    if (call.isSet("delete")) {
      if (!pool.vms.delete(id)) throw failure(`VM ${id} is not a pool member`);
      continue;
    }
    const [old] = [...call.cluster.pools].find(([, { vms }]) => vms.has(id)) ?? [];
    if (old !== undefined && !call.isSet("allow-move"))
      throw failure(`VM ${id} is already a pool member in pool '${old}'`);
    if (old !== undefined) call.cluster.pools.get(old)!.vms.delete(id);
    pool.vms.add(id);
  }
}

export const poolRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "pools",
    parameters: { poolid: optional(poolid), type: optional(text) },
    answer: list,
  },
  {
    method: "POST",
    path: "pools",
    parameters: { poolid, comment: optional(text) },
    allow: mayAllocate,
    answer: (call) => {
      const id = call.need("poolid");
      if (call.cluster.pools.has(id)) throw failure(`create pool failed: pool '${id}' already exists`);
      call.cluster.pools.set(id, { comment: call.get("comment") ?? "", vms: new Set(), storages: new Set() });
    },
  },
  {
    method: "PUT",
    path: "pools",
    parameters: {
      poolid,
      comment: optional(text),
      vms: optional(text),
      storage: optional(text),
      delete: optional(flag),
      "allow-move": optional(flag),
    },
    allow: mayAllocate,
    answer: change,
  },
  {
    method: "DELETE",
    path: "pools",
    parameters: { poolid },
    allow: mayAllocate,
    answer: (call) => {
      if (find(call).vms.size > 0)
        throw failure(`delete pool failed: pool '${call.need("poolid")}' is not empty`);
      call.cluster.pools.delete(call.need("poolid"));
    },
  },
];
