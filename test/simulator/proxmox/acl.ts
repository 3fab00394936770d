import type { Call } from "./call.ts";
import type { Acl } from "./cluster.ts";
import { flag, optional, splitList, text } from "./formats.ts";
import { failure, invalid } from "./refusal.ts";
import type { Route } from "./router.ts";
import { isTrue } from "./schema.ts";
import { checkTokenExists } from "./tokens.ts";

/** `access/acl`. */
const paths =
  /^\/(access(\/(groups|realm|users)(\/[^/]+)?)?|mapping(\/[a-z]+(\/[^/]+)?)?|nodes(\/[^/]+)?|pool(\/.+)?|sdn(\/.+)?|storage(\/[^/]+)?|vms(\/\d{3,})?)?$/;

function mayModify(call: Call): void {
  const path = call.get("path") ?? "/access";
  const more = /^\/(storage|vms|pool)\/./.exec(path)?.[1];
  const other: Readonly<Record<string, string>> = {
    storage: "Datastore.Allocate",
    vms: "VM.Allocate",
    pool: "Pool.Allocate",
  };
  call.checkAny(path, "Permissions.Modify", ...(more === undefined ? [] : [other[more]!]));
}

type Holder = readonly [type: Acl["type"], ugid: string];

function holders(call: Call): readonly Holder[] {
  const named = (parameter: string, type: Acl["type"]): readonly Holder[] =>
    splitList(call.get(parameter) ?? "").map((ugid) => [type, ugid]);
  return [...named("groups", "group"), ...named("users", "user"), ...named("tokens", "token")];
}

function checkHolder(call: Call, [type, ugid]: Holder): void {
  if (type === "token") checkTokenExists(call, ugid);
  else if (!(type === "user" ? call.cluster.users : call.cluster.groups).has(ugid))
    throw failure(`ACL update failed: ${type} '${ugid}' does not exist`);
}

function change(call: Call): void {
  const given = holders(call);
  if (given.length === 0)
    throw invalid(
      Object.fromEntries(
        ["users", "groups", "tokens"].map((name) => [
          name,
          "either 'users', 'groups' or 'tokens' is required.",
        ]),
      ),
    );
  const path = call.need("path");
  const isDelete = call.isSet("delete");
  if (!isDelete && !paths.test(path)) throw invalid({ path: `invalid ACL path '${path}'` });
  for (const roleid of splitList(call.need("roles"))) {
    if (!call.cluster.roles.has(roleid)) throw failure(`ACL update failed: role '${roleid}' does not exist`);
    for (const holder of given) {
      checkHolder(call, holder);
      const [type, ugid] = holder;
      for (const old of call.cluster.acl)
        if (old.path === path && old.type === type && old.ugid === ugid && old.roleid === roleid)
          call.cluster.acl.delete(old);
      const propagate = isTrue(call.get("propagate") ?? "1");
      if (!isDelete) call.cluster.acl.add({ path, type, ugid, roleid, propagate });
    }
  }
}

export const aclRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "access/acl",
    parameters: {},
    answer: (call) =>
      [...call.cluster.acl]
        .filter(({ path }) => call.may("/access", "Sys.Audit") || call.may(path, "Permissions.Modify"))
        .map((entry) => ({ ...entry, propagate: entry.propagate ? 1 : 0 })),
  },
  {
    method: "PUT",
    path: "access/acl",
    parameters: {
      path: text,
      roles: text,
      users: optional(text),
      groups: optional(text),
      tokens: optional(text),
      propagate: optional(flag),
      delete: optional(flag),
    },
    allow: mayModify,
    answer: change,
  },
];
