import { builtInRoles, privileges } from "./access-control.ts";
import type { Call } from "./call.ts";
import { flag, optional, splitList, text } from "./formats.ts";
import { failure, invalid } from "./refusal.ts";
import type { Route } from "./router.ts";
import type { Property } from "./schema.ts";

/** `access/roles`. */
const roleid: Property = {
  format: (value) => (/^[A-Za-z0-9.\-_]+$/.test(value) ? undefined : `invalid role name '${value}'\n`),
};
const privs: Property = {
  isOptional: true,
  format: (value) => {
    const wrong = splitList(value).find((name) => !privileges.includes(name));
    return wrong === undefined ? undefined : `invalid privilege '${wrong}'\n`;
  },
};

const mayChange = (call: Call): void => call.check("/access", "Sys.Modify");

function existing(call: Call): ReadonlySet<string> {
  const id = call.need("roleid");
  const role = call.cluster.roles.get(id);
  if (role === undefined) throw failure(`role '${id}' does not exist`);
  return role;
}

function refuseBuiltIn(call: Call, verb: string): void {
  const id = call.need("roleid");
  if (builtInRoles.has(id)) throw failure(`auto-generated role '${id}' cannot be ${verb}`);
}

export const roleRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "access/roles",
    parameters: {},
    answer: ({ cluster }) =>
      [...cluster.roles].map(([id, held]) => ({
        roleid: id,
        privs: [...held].sort().join(","),
        special: builtInRoles.has(id) ? 1 : 0,
      })),
  },
  {
    method: "POST",
    path: "access/roles",
    parameters: { roleid, privs },
    allow: mayChange,
    answer: (call) => {
      const id = call.need("roleid");
      if (/^PVE/i.test(id))
        throw invalid({ roleid: "cannot use role ID starting with the (case-insensitive) 'PVE' namespace" });
      if (call.cluster.roles.has(id)) throw failure(`create role failed: role '${id}' already exists`);
      call.cluster.roles.set(id, new Set(splitList(call.get("privs") ?? "")));
    },
  },
  {
    method: "GET",
    path: "access/roles/{roleid}",
    parameters: { roleid: text },
    answer: (call) => Object.fromEntries([...existing(call)].map((privilege) => [privilege, 1])),
  },
  {
    method: "PUT",
    path: "access/roles/{roleid}",
    parameters: { roleid, privs, append: optional({ ...flag, requires: "privs" }) },
    allow: mayChange,
    answer: (call) => {
      refuseBuiltIn(call, "modified");
      const kept = call.isSet("append") ? existing(call) : (existing(call), []);
      call.cluster.roles.set(call.need("roleid"), new Set([...kept, ...splitList(call.get("privs") ?? "")]));
    },
  },
  {
    method: "DELETE",
    path: "access/roles/{roleid}",
    parameters: { roleid },
    allow: mayChange,
    answer: (call) => {
      refuseBuiltIn(call, "deleted");
      existing(call);
      call.cluster.roles.delete(call.need("roleid"));
    },
  },
];
