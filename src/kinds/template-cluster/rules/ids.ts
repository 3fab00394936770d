import { quote, spell } from "../../../problem.ts";
import { distributionOf, total } from "../distribution.ts";
import { ROLES, ROLE_NAMES } from "../role.ts";
import { allocationOf, rangeOf } from "./allocation.ts";
import { placeOf } from "./place.ts";
import { rule } from "./rule.ts";

export const idRules = [
  rule("id-range", ({ config, given }, say) => {
    for (const role of ROLES) {
      const { min, max } = config.vm_id_ranges?.[role] ?? {};
      if (min === undefined || max === undefined || min <= max) continue;
      const { path } = placeOf(given, ["vm_id_ranges", role, "min"]);
      say.error(path, `${min} is more than max, ${max}`);
    }
  }),

  rule("disjoint-ranges", ({ config, given }, say) => {
    const [first, second] = ROLES.map((role) => rangeOf(config, role));
    if (first === undefined || second === undefined) return;
    if (first.max < second.min || second.max < first.min) return;
    const isWorkerGiven = given.vm_id_ranges?.worker !== undefined;
    const [role, other] = isWorkerGiven ? (["worker", "controlplane"] as const) : ROLES;
    const [own, overlapped] = isWorkerGiven ? [second, first] : [first, second];
    const message = `${own.min} to ${own.max} overlaps ${overlapped.min} to ${overlapped.max}, the range of the ${ROLE_NAMES[other]}s`;
    say.error(["vm_id_ranges", role], message, { at: "key" });
  }),

  rule("template-id", (context, say) => {
    const { config, given, memory } = context;
    const { controlplane_template_id: first, worker_template_id: second } = config.template_config ?? {};
    const key = (role: string) => ["template_config", `${role}_template_id`];
    if (first !== undefined && first === second) {
      const isWorkerGiven = given.template_config?.worker_template_id !== undefined;
      const [own, other] = isWorkerGiven ? (["worker", "controlplane"] as const) : ROLES;
      say.error(key(own), `${first} is already the id of the ${ROLE_NAMES[other]}s' template`);
    }
    const nodes = Object.entries(memory?.nodes ?? {});
    for (const role of ROLES) {
      const id = config.template_config?.[`${role}_template_id`];
      if (id === undefined) continue;
      const owner = nodes.find(([, { vm_id }]) => vm_id === id);
      const holder = ROLES.find((other) => {
        const range = rangeOf(config, other);
        return range !== undefined && id >= range.min && id <= range.max;
      });
      const { path, at, subject } = placeOf(given, key(role));
      const isGiven = at === "value";
      if (holder !== undefined) {
        const range = ["vm_id_ranges", holder];
        const place = isGiven ? { path, at } : ({ path: range, at: "key" } as const);
        const message = isGiven
          ? `${id} is in the range of the ${ROLE_NAMES[holder]}s' ids, ${spell(range)}`
          : `holds ${id}, the id of the ${ROLE_NAMES[role]}s' template`;
        say.error(place.path, message, { at: place.at, hint: "templates need ids outside of both ranges" });
      } else if (owner !== undefined) {
        say.error(path, `${subject}${id} is the id of ${quote(owner[0])}`, { at, hint: "take a free one" });
      }
    }
  }),

  rule("range-size", (context, say) => {
    const { config, given } = context;
    const distribution = distributionOf(config);
    const nodes = Object.values(allocationOf(context)?.nodes ?? {});
    for (const role of ROLES) {
      const range = rangeOf(config, role);
      const isShort = nodes.some((node) => node.role === role && node.vm_id === undefined);
      if (range === undefined || distribution === undefined || !isShort) continue;
      const { path, subject } = placeOf(given, ["vm_id_ranges", role]);
      const count = total(distribution, role);
      const message = `${subject}has ${range.max - range.min + 1} ids, ${range.min} to ${range.max}, which is not enough for ${count} ${ROLE_NAMES[role]}${count === 1 ? "" : "s"}`;
      say.error(path, message, { at: "key", hint: "ids of machines that go are free in the next run" });
    }
  }),
];
