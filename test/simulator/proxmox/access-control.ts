import type { Acl, Cluster } from "./cluster.ts";

/** Privileges of Proxmox VE 9. */
export const privileges: readonly string[] = [
  ["Datastore", "Allocate AllocateSpace AllocateTemplate Audit"],
  ["Group", "Allocate"],
  ["Mapping", "Audit Modify Use"],
  ["Permissions", "Modify"],
  ["Pool", "Allocate Audit"],
  ["Realm", "Allocate AllocateUser"],
  ["SDN", "Allocate Audit Use"],
  ["Sys", "AccessNetwork Audit Console Incoming Modify PowerMgmt Syslog"],
  ["User", "Modify"],
  ["VM", "Allocate Audit Backup Clone Console Migrate PowerMgmt Replicate Snapshot Snapshot.Rollback"],
  ["VM.Config", "CDROM CPU Cloudinit Disk HWType Memory Network Options"],
  ["VM.GuestAgent", "Audit FileRead FileSystemMgmt FileWrite Unrestricted"],
].flatMap(([prefix, names]) => names!.split(" ").map((name) => `${prefix}.${name}`));

const starting = (...prefixes: readonly string[]): ReadonlySet<string> =>
  new Set(privileges.filter((privilege) => prefixes.some((prefix) => privilege.startsWith(prefix))));

/** Roles that cannot be changed or removed. */
export const builtInRoles: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ["Administrator", new Set(privileges)],
  ["NoAccess", new Set<string>()],
  ["PVEAuditor", new Set(privileges.filter((privilege) => privilege.endsWith(".Audit")))],
  ["PVEDatastoreAdmin", starting("Datastore.")],
  ["PVEVMAdmin", starting("VM.")],
]);

export const root = "root@pam";

/** `user@realm!name` into its two parts; the second is missing for a user. */
export function splitToken(id: string): readonly [user: string, token: string | undefined] {
  const at = id.indexOf("!");
  return at < 0 ? [id, undefined] : [id.slice(0, at), id.slice(at + 1)];
}

/** The privileges of a user or token on a path. A token with separated privileges has none that its user lacks. */
export function privilegesOn(cluster: Cluster, id: string, path: string): ReadonlySet<string> {
  const [user, name] = splitToken(id);
  const ofUser = user === root ? new Set(privileges) : fromRoles(cluster, user, path);
  if (name === undefined) return ofUser;
  const token = cluster.users.get(user)?.tokens.get(name);
  if (token === undefined) return new Set();
  if (!token.isSeparated) return ofUser;
  return new Set([...fromRoles(cluster, id, path)].filter((privilege) => ofUser.has(privilege)));
}

function fromRoles(cluster: Cluster, id: string, path: string): ReadonlySet<string> {
  const roles = [...rolesOn(cluster, id, path), ...rolesFromPools(cluster, id, path)];
  if (roles.includes("NoAccess")) return new Set();
  return new Set(roles.flatMap((role) => [...(cluster.roles.get(role) ?? [])]));
}

/** The deepest path that says something about a user wins, and there the user's own roles over the groups'. */
function rolesOn(cluster: Cluster, id: string, path: string): readonly string[] {
  let roles: readonly string[] = [];
  for (const step of steps(path)) {
    const here = [...cluster.acl].filter(
      (entry) => entry.path === step && (entry.propagate || step === path),
    );
    const own = here.filter((entry) => entry.type !== "group" && entry.ugid === id);
    const groups = here.filter((entry) => isOfGroup(cluster, entry, id));
    const decisive = own.length > 0 ? own : groups;
    if (decisive.length > 0) roles = decisive.map((entry) => entry.roleid);
  }
  return roles;
}

function isOfGroup(cluster: Cluster, entry: Acl, id: string): boolean {
  return entry.type === "group" && (cluster.groups.get(entry.ugid)?.has(id) ?? false);
}

/** Members of a pool inherit what is granted on the pool. */
function rolesFromPools(cluster: Cluster, id: string, path: string): readonly string[] {
  const [, kind, name = ""] = path.split("/");
  if (kind !== "vms" && kind !== "storage") return [];
  return [...cluster.pools].flatMap(([pool, { vms, storages }]) => {
    const isMember = kind === "vms" ? vms.has(Number(name)) : storages.has(name);
    return isMember ? rolesOn(cluster, id, `/pool/${pool}`) : [];
  });
}

function steps(path: string): readonly string[] {
  const parts = path.split("/").filter((part) => part !== "");
  return ["/", ...parts.map((_, index) => `/${parts.slice(0, index + 1).join("/")}`)];
}
