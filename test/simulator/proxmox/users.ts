import type { Call } from "./call.ts";
import type { User } from "./cluster.ts";
import { flag, natural, optional, splitList, text } from "./formats.ts";
import { denied, failure } from "./refusal.ts";
import type { Route } from "./router.ts";
import { isTrue, type Property } from "./schema.ts";

/** `access/users`, and passwords. */
export const userid: Property = {
  maxLength: 64,
  format: (value) =>
    /^[^\s:/]+@[A-Za-z][A-Za-z0-9.\-_]+$/.test(value)
      ? undefined
      : `value '${value}' does not look like a valid user name\n`,
};
const realms = ["pam", "pve"];
const details = ["firstname", "lastname", "email", "comment", "keys"] as const;
const fields = {
  userid,
  enable: optional(flag),
  expire: optional(natural),
  groups: optional(text),
  ...Object.fromEntries(details.map((name) => [name, optional(text)])),
};

export function findUser(call: Call, id: string): User {
  const user = call.cluster.users.get(id);
  if (user === undefined) throw failure(`no such user ('${id}')`);
  return user;
}

/** Over all users, or over a group that the user belongs to. */
function mayManage(call: Call, ...privileges: readonly string[]): void {
  findUser(call, call.need("userid"));
  if (!call.mayAny("/access/groups", ...privileges)) throw denied();
}

function mayAllocate(call: Call): void {
  const realm = (call.get("userid") ?? "").split("@").pop()!;
  call.check(`/access/realm/${realm}`, "Realm.AllocateUser");
}

function change(call: Call, user: User): void {
  const [enable, expire, groups] = ["enable", "expire", "groups"].map((name) => call.get(name));
  if (enable !== undefined) user.isEnabled = isTrue(enable);
  if (expire !== undefined) user.expire = Number(expire);
  for (const name of details) {
    const value = call.get(name);
    if (value) user.details.set(name, value);
    else if (value === "") user.details.delete(name);
  }
  if (groups === undefined) return;
  const id = call.need("userid");
  for (const members of call.cluster.groups.values()) if (!call.isSet("append")) members.delete(id);
  for (const name of splitList(groups)) {
    const members = call.cluster.groups.get(name);
    if (members === undefined) throw failure(`no such group '${name}'`);
    members.add(id);
  }
}

function create(call: Call): void {
  const id = call.need("userid");
  const realm = id.slice(id.lastIndexOf("@") + 1);
  if (!realms.includes(realm)) throw failure(`create user failed: domain '${realm}' does not exist`);
  if (call.cluster.users.has(id)) throw failure(`create user failed: user '${id}' already exists`);
  const user: User = { isEnabled: true, expire: 0, details: new Map(), tokens: new Map() };
  const password = call.get("password");
  if (password !== undefined) user.password = password;
  change(call, user);
  call.cluster.users.set(id, user);
}

function describe(call: Call, id: string, user: User): Readonly<Record<string, unknown>> {
  return {
    enable: user.isEnabled ? 1 : 0,
    expire: user.expire,
    ...Object.fromEntries(user.details),
    groups: [...call.cluster.groups].filter(([, members]) => members.has(id)).map(([name]) => name),
    tokens: Object.fromEntries(
      [...user.tokens].map(([name, { isSeparated, expire }]) => [
        name,
        { privsep: isSeparated ? 1 : 0, expire },
      ]),
    ),
  };
}

function remove(call: Call): void {
  const id = call.need("userid");
  findUser(call, id);
  call.cluster.users.delete(id);
  for (const members of call.cluster.groups.values()) members.delete(id);
  for (const entry of call.cluster.acl)
    if (entry.ugid === id || entry.ugid.startsWith(`${id}!`)) call.cluster.acl.delete(entry);
}

export const userRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "access/users",
    parameters: { enabled: optional(flag), full: optional(flag) },
    answer: (call) =>
      [...call.cluster.users]
        .filter(([id]) => id === call.user || call.mayAny("/access/groups", "User.Modify", "Sys.Audit"))
        .map(([id, user]) => ({ userid: id, enable: user.isEnabled ? 1 : 0, expire: user.expire })),
  },
  {
    method: "POST",
    path: "access/users",
    parameters: { ...fields, password: optional({ ...text, maxLength: 64 }) },
    allow: (call) => {
      mayAllocate(call);
      call.checkAny("/access/groups", "User.Modify");
    },
    answer: create,
  },
  {
    method: "GET",
    path: "access/users/{userid}",
    parameters: { userid },
    allow: (call) => mayManage(call, "User.Modify", "Sys.Audit"),
    answer: (call) => describe(call, call.need("userid"), findUser(call, call.need("userid"))),
  },
  {
    method: "PUT",
    path: "access/users/{userid}",
    parameters: { ...fields, append: optional({ ...flag, requires: "groups" }) },
    allow: (call) => mayManage(call, "User.Modify"),
    answer: (call) => change(call, findUser(call, call.need("userid"))),
  },
  {
    method: "DELETE",
    path: "access/users/{userid}",
    parameters: { userid },
    allow: (call) => {
      mayAllocate(call);
      mayManage(call, "User.Modify");
    },
    answer: remove,
  },
  {
    method: "PUT",
    path: "access/password",
    parameters: { userid, password: { ...text, maxLength: 64 }, "confirmation-password": optional(text) },
    allow: (call) => mayManage(call, "User.Modify"),
    answer: (call) => {
      findUser(call, call.need("userid")).password = call.need("password");
    },
  },
];
