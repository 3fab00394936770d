import { test } from "uvu";
import * as assert from "uvu/assert";
import { contains, formatIpv4, formatSubnet, parseIpv4, subnetOf } from "../../src/domain/network.ts";

const ADDRESSES: readonly [string, number | undefined][] = [
  ["0.0.0.0", 0],
  ["10.1.2.3", 167_838_211],
  ["255.255.255.255", 4_294_967_295],
  ["010.0.0.1", undefined],
  ["10.0.0.08", undefined],
  ["256.0.0.1", undefined],
  ["1.2.3", undefined],
  ["1.2.3.4.5", undefined],
  ["0x0a.0.0.1", undefined],
  ["1.2.3.-4", undefined],
  [" 1.2.3.4", undefined],
  ["", undefined],
];

for (const [text, number] of ADDRESSES) {
  test(`${JSON.stringify(text)} is ${number}`, () => {
    assert.is(parseIpv4(text), number);
    if (number !== undefined) assert.is(formatIpv4(number), text);
  });
}

const SUBNETS: readonly [string, number, string, string][] = [
  ["10.1.2.3", 24, "10.1.2.0/24", "10.1.2.255"],
  ["10.1.2.3", 30, "10.1.2.0/30", "10.1.2.3"],
  ["10.1.2.130", 25, "10.1.2.128/25", "10.1.2.255"],
  ["192.168.5.9", 16, "192.168.0.0/16", "192.168.255.255"],
  ["200.1.2.3", 1, "128.0.0.0/1", "255.255.255.255"],
];

for (const [address, bits, network, broadcast] of SUBNETS) {
  test(`${address}/${bits} is in ${network}`, () => {
    const number = parseIpv4(address) ?? 0;
    const subnet = subnetOf(number, bits);
    assert.is(formatSubnet(subnet), network);
    assert.is(formatIpv4(subnet.broadcast), broadcast);
    assert.ok(contains(subnet, number));
    assert.not.ok(contains(subnet, subnet.network - 1));
    assert.not.ok(contains(subnet, subnet.broadcast + 1));
  });
}

test.run();
