import { test } from "uvu";
import * as assert from "uvu/assert";
import { fittingSize, formatMib, sizeMib } from "../../src/kinds/talos-cluster/sizes.ts";

/** Size, MiB as a disk, MiB as a CSI volume, what to write for a CSI volume. */
const TABLE: readonly [string | number, number | undefined, number | undefined, string | undefined][] = [
  [10, 10_240, undefined, "10G"],
  ["10", 10_240, undefined, "10G"],
  ["10G", 10_240, 10_240, "10G"],
  ["10GB", 10_240, 10_240, "10G"],
  ["10Gi", 10_240, 10_240, "10G"],
  ["10GiB", 10_240, 10_240, "10G"],
  ["100M", undefined, 100, "100M"],
  ["100MB", undefined, 100, "100M"],
  ["100Mi", undefined, 100, "100M"],
  ["100MiB", undefined, 100, "100M"],
  ["2048M", undefined, 2048, "2G"],
  ["1T", undefined, undefined, "1024G"],
  ["1Ti", undefined, undefined, "1024G"],
  ["2048K", undefined, undefined, "2M"],
  ["1K", undefined, undefined, "1M"],
  ["10g", undefined, undefined, "10G"],
  ["lots", undefined, undefined, undefined],
];

for (const [size, disk, csi, fitting] of TABLE) {
  test(`${JSON.stringify(size)}`, () => {
    assert.is(sizeMib({ size, type: "disk" }), disk);
    assert.is(sizeMib({ size, type: "directory" }), disk);
    assert.is(sizeMib({ size, type: "proxmox-csi" }), csi);
    assert.is(sizeMib({ size }), csi);
    assert.is(fittingSize({ size }), fitting);
  });
}

test("what fits is rounded up", () => {
  assert.is(fittingSize({ size: "5000M", type: "disk" }), "5G");
  assert.is(fittingSize({ size: "1K", type: "disk" }), "1G");
  assert.equal([1, 1024, 1025, 5120].map(formatMib), ["1M", "1G", "1025M", "5G"]);
});

test.run();
