/** Processor time that some work takes, in seconds. Unlike time on the clock it is the same on a busy machine. */
export function secondsOf(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}
