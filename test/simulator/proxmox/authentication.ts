import { randomUUID } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import type { Cluster, User } from "./cluster.ts";
import { splitToken } from "./access-control.ts";
import { optional, text } from "./formats.ts";
import { Refusal } from "./refusal.ts";
import type { Route } from "./router.ts";

/** Who asks: by the token in the header, or by the ticket in the cookie. */
export function authenticate(cluster: Cluster, method: string, headers: IncomingHttpHeaders): string {
  const [, given] = /^PVEAPIToken=(.+)$/.exec(headers.authorization ?? "") ?? [];
  return given === undefined ? byTicket(cluster, method, headers) : byToken(cluster, given);
}

function byToken(cluster: Cluster, given: string): string {
  const [, id = "", secret = ""] = /^([^=]+)=(.+)$/.exec(given) ?? [];
  const [userid, name] = splitToken(id);
  const user = cluster.users.get(userid);
  checkUser(userid, user);
  const token = name === undefined ? undefined : user!.tokens.get(name);
  if (token === undefined) throw new Refusal(401, `no such token '${name ?? ""}' for user '${userid}'`);
  if (token.secret !== secret) throw new Refusal(401, "invalid token value!");
  return id;
}

function byTicket(cluster: Cluster, method: string, headers: IncomingHttpHeaders): string {
  const [, cookie] = /PVEAuthCookie=([^;]+)/.exec(headers.cookie ?? "") ?? [];
  if (cookie === undefined) throw new Refusal(401, "No ticket");
  const ticket = cluster.tickets.get(decodeURIComponent(cookie));
  if (ticket === undefined) throw new Refusal(401, "permission denied - invalid PVE ticket");
  if (method !== "GET" && headers["csrfpreventiontoken"] !== ticket.csrf)
    throw new Refusal(401, "Permission denied - invalid csrf token");
  return ticket.user;
}

function checkUser(userid: string, user: User | undefined): void {
  if (user === undefined) throw new Refusal(401, `no such user ('${userid}')`);
  if (!user.isEnabled) throw new Refusal(401, `user '${userid}' is disabled`);
}

export const ticketRoutes: readonly Route[] = [
  {
    method: "POST",
    path: "access/ticket",
    isPublic: true,
    parameters: {
      username: text,
      password: text,
      otp: optional(text),
      realm: optional(text),
      "new-format": optional(text),
    },
    answer: (call) => {
      const { cluster } = call;
      const username = call.need("username");
      const user = cluster.users.get(username);
      if (!user?.isEnabled || user.password === undefined || user.password !== call.need("password"))
        throw new Refusal(401, "authentication failure");
      const ticket = `PVE:${username}:${randomUUID()}`;
      const csrf = randomUUID();
      cluster.tickets.set(ticket, { user: username, csrf });
      return { ticket, CSRFPreventionToken: csrf, username, clustername: cluster.name };
    },
  },
];
