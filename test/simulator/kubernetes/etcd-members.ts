/** Who has a part of etcd's data, and whether enough of them run for it to answer. */
export class EtcdMembers {
  readonly #hostnames = new Map<string, string>();

  get isEmpty(): boolean {
    return this.#hostnames.size === 0;
  }

  has(ip: string): boolean {
    return this.#hostnames.has(ip);
  }

  add(ip: string, hostname: string): void {
    this.#hostnames.set(ip, hostname);
  }

  remove(ip: string): void {
    this.#hostnames.delete(ip);
  }

  hasQuorum(isRunning: (ip: string) => boolean): boolean {
    return [...this.#hostnames.keys()].filter(isRunning).length > this.#hostnames.size / 2;
  }

  /** As the Talos API lists them. */
  list() {
    return [...this.#hostnames].map(([ip, hostname]) => ({
      id: ip.split(".").reduce((sum, octet) => sum * 256 + Number(octet), 0),
      hostname,
      peerUrls: [`https://${ip}:2380`],
      clientUrls: [`https://${ip}:2379`],
    }));
  }
}
