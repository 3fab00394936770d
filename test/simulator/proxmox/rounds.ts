/** One call of an apply: the n-th of its name, counted from 1. */
export interface NumberedCall {
  readonly name: string;
  readonly occurrence: number;
}

interface Placed extends NumberedCall {
  readonly position: number;
  /** What it is made for; calls of one chain follow each other in every apply. */
  readonly chain: string;
}

/**
 * Splits the calls of an undisturbed apply, named as in `call-name.ts`, into rounds that together fail each call once. A
 * round fails one call of each chain: they do not come between each other, so that each is met as in the undisturbed
 * apply, if not in the first apply of the round then in a later one.
 *
 * Of a call that is made several times and names nobody, such as `GET /pools`, only the number says which it is. No fault
 * that comes earlier may shift it: it fails in a round whose chains all begin later, or in one of its own, at once with
 * those that are made for the other VMs of the same moment.
 */
export function rounds(names: readonly string[]): readonly (readonly NumberedCall[])[] {
  const calls = names.map((name, position): Placed => {
    const occurrence = names.slice(0, position + 1).filter((other) => other === name).length;
    return { name, occurrence, position, chain: chainOf(name) };
  });
  const isNobodys = ({ name }: Placed) =>
    vmOf(name) === undefined && names.indexOf(name) !== names.lastIndexOf(name);

  const chains = new Map<string, Placed[]>();
  for (const call of calls)
    if (!isNobodys(call)) chains.set(call.chain, [...(chains.get(call.chain) ?? []), call]);
  const found: Placed[][] = [];
  for (const chain of chains.values())
    for (const [index, call] of chain.entries()) (found[index] ??= []).push(call);

  const begin = (call: Placed) => (isNobodys(call) ? 0 : chains.get(call.chain)![0]!.position);
  const vmsMadeBefore = (position: number) => names.slice(0, position).filter(makesVm).length;
  const nobodys = calls.filter(isNobodys);
  while (nobodys.length > 0) {
    const [{ name, position }] = nobodys as [Placed];
    const together = nobodys.filter(
      (call) =>
        call.name === name && (call.position === position || call.occurrence <= vmsMadeBefore(position)),
    );
    const round = found.find((others) => others.every((other) => begin(other) > position));
    if (round === undefined) found.push(together);
    else round.push(...together);
    for (const call of together) nobodys.splice(nobodys.indexOf(call), 1);
  }
  return found.map((round) => round.map(({ name, occurrence }) => ({ name, occurrence })));
}

/** The VM that a call is about or, where it names none, the first part of its path. */
const chainOf = (name: string): string => vmOf(name) ?? /^\S+ \/([^/ ]+)/.exec(name)?.[1] ?? name;

const makesVm = (name: string): boolean => / (?:newid|vmid)=\d/.test(name);

/** The new one, where a VM is made from another. */
function vmOf(name: string): string | undefined {
  const made = / (?:newid|vmid)=(\d+)/.exec(name)?.[1];
  return made ?? /(?:\/qemu\/|\/tasks\/\w+:|\bvm-)(\d+)[-/]/.exec(name)?.[1];
}
