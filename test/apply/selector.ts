import type { GuestDisk } from "../simulator/proxmox/guest.ts";

/** The words of CEL that the selectors of a machine configuration are made of. */
const words = /\s*(&&|\|\||==|!=|in\b|[!()[\],]|"(?:[^"\\]|\\.)*"|[A-Za-z_][\w.]*)/y;

/** The disks that a selector matches, as Talos would evaluate it on the machine that has them. */
export function matching(selector: string, disks: readonly GuestDisk[]): readonly GuestDisk[] {
  const evaluate = compile(selector);
  return disks.filter((disk) => evaluate(seenByTalos(disk)));
}

type Facts = Readonly<Record<string, boolean | string>>;

/** virtio-scsi shows no serial; virtio-blk shows the first 20 characters of it. */
const seenByTalos = ({ slot, bus, serial, isCdrom }: GuestDisk): Facts => ({
  system_disk: slot === "scsi0",
  "disk.cdrom": isCdrom,
  "disk.readonly": isCdrom,
  "disk.serial": bus === "virtio" ? serial.slice(0, 20) : "",
});

type Value = boolean | string | readonly Value[];
type Expression = (facts: Facts) => Value;

function compile(text: string): Expression {
  const tokens = tokenize(text);
  const take = (expected?: string): string => {
    const token = tokens.shift();
    if (token === undefined || (expected !== undefined && token !== expected))
      throw new Error(`${expected ?? "more"} instead of ${token ?? "the end"} in ${text}`);
    return token;
  };
  const operand = (): Expression => {
    const token = take();
    if (token === "(") {
      const inner = and();
      take(")");
      return inner;
    }
    if (token === "[") return list();
    if (token.startsWith('"')) return () => JSON.parse(token) as string;
    return (facts) => {
      const fact = facts[token];
      if (fact === undefined) throw new Error(`no disk has ${token}`);
      return fact;
    };
  };
  const list = (): Expression => {
    const items: Expression[] = [];
    while (tokens[0] !== "]") {
      items.push(operand());
      if (tokens[0] === ",") take();
    }
    take("]");
    return (facts) => items.map((item) => item(facts));
  };
  const comparison = (): Expression => {
    const left = operand();
    if (tokens[0] === "==") {
      take();
      const right = operand();
      return (facts) => left(facts) === right(facts);
    }
    if (tokens[0] === "in") {
      take();
      const right = operand();
      return (facts) => (right(facts) as readonly Value[]).includes(left(facts));
    }
    return left;
  };
  const not = (): Expression => {
    if (tokens[0] !== "!") return comparison();
    take();
    const inner = not();
    return (facts) => !truth(inner(facts));
  };
  const and = (): Expression => {
    const parts = [not()];
    while (tokens[0] === "&&") {
      take();
      parts.push(not());
    }
    return (facts) => parts.every((part) => truth(part(facts)));
  };
  const whole = and();
  if (tokens.length > 0) throw new Error(`${tokens[0]} was not expected in ${text}`);
  return whole;
}

function truth(value: Value): boolean {
  if (typeof value !== "boolean") throw new Error(`${JSON.stringify(value)} is neither true nor false`);
  return value;
}

function tokenize(text: string): string[] {
  const tokens: string[] = [];
  let end = 0;
  while (end < text.trimEnd().length) {
    words.lastIndex = end;
    const match = words.exec(text);
    if (match === null) throw new Error(`cannot read ${text.slice(end)}`);
    tokens.push(match[1]!);
    end = words.lastIndex;
  }
  return tokens;
}
