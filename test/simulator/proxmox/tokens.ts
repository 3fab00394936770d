import { randomUUID } from "node:crypto";
import { splitToken } from "./access-control.ts";
import type { Call } from "./call.ts";
import type { Token } from "./cluster.ts";
import { flag, natural, optional, text } from "./formats.ts";
import { denied, failure, invalid } from "./refusal.ts";
import type { Route } from "./router.ts";
import { isTrue, type Property } from "./schema.ts";
import { findUser, userid } from "./users.ts";

/** `access/users/{userid}/token`. The secret is shown once. */
const tokenid: Property = { pattern: /^[A-Za-z][A-Za-z0-9.\-_]+$/ };
const whose = { userid, tokenid };
const fields = { ...whose, comment: optional(text), expire: optional(natural), privsep: optional(flag) };

function mayManage(call: Call): void {
  const id = call.need("userid");
  if (call.user === id) return;
  if (!call.may(`/access/users/${id}`, "User.Modify")) throw denied();
}

function find(call: Call): Token {
  const [user, name] = [call.need("userid"), call.need("tokenid")];
  const token = findUser(call, user).tokens.get(name);
  if (token === undefined) throw failure(`no such token '${name}' for user '${user}'`);
  return token;
}

const describe = ({ isSeparated, expire, comment }: Token): Readonly<Record<string, unknown>> => ({
  privsep: isSeparated ? 1 : 0,
  expire,
  ...(comment === "" ? {} : { comment }),
});

function create(call: Call): unknown {
  const [id, name] = [call.need("userid"), call.need("tokenid")];
  const user = findUser(call, id);
  if (user.tokens.has(name)) throw invalid({ tokenid: "Token already exists." });
  const token: Token = {
    secret: randomUUID(),
    isSeparated: isTrue(call.get("privsep") ?? "1"),
    comment: call.get("comment") ?? "",
    expire: Number(call.get("expire") ?? 0),
  };
  user.tokens.set(name, token);
  return { "full-tokenid": `${id}!${name}`, info: describe(token), value: token.secret };
}

function change(call: Call): unknown {
  const token = find(call);
  const [privsep, expire, comment] = ["privsep", "expire", "comment"].map((name) => call.get(name));
  if (privsep !== undefined) token.isSeparated = isTrue(privsep);
  if (expire !== undefined) token.expire = Number(expire);
  if (comment) token.comment = comment;
  return describe(token);
}

function remove(call: Call): void {
  find(call);
  const [user, name] = [call.need("userid"), call.need("tokenid")];
  findUser(call, user).tokens.delete(name);
}

const route = (method: Route["method"], parameters: Route["parameters"], answer: Route["answer"]): Route => ({
  method,
  path: "access/users/{userid}/token/{tokenid}",
  parameters,
  allow: mayManage,
  answer,
});

export const tokenRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "access/users/{userid}/token",
    parameters: { userid },
    allow: mayManage,
    answer: (call) =>
      [...findUser(call, call.need("userid")).tokens].map(([name, token]) => ({
        tokenid: name,
        ...describe(token),
      })),
  },
  route("GET", whose, (call) => describe(find(call))),
  route("POST", fields, create),
  route("PUT", fields, change),
  route("DELETE", whose, remove),
];

/** The token that an id names, as ACLs refer to it. */
export function checkTokenExists(call: Call, id: string): void {
  const [user, name] = splitToken(id);
  if (name === undefined || !findUser(call, user).tokens.has(name))
    throw failure(`no such token '${name ?? ""}' for user '${user}'`);
}
