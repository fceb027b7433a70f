import { expect, test } from "vitest";
import { blockChecksum } from "./blocks.js";

test("the checksum of a block takes words little-endian and what is left big-endian", () => {
  expect(blockChecksum(Buffer.from("01000000", "hex"), 0)).toBe((1 ^ 4) >>> 0);
  expect(blockChecksum(Buffer.from("0000000001", "hex"), 0)).toBe((1 ^ 5) >>> 0);
  expect(blockChecksum(Buffer.from("00000000010203", "hex"), 0x8000)).toBe((0x010203 ^ (0x8000 * 65_536 + 7)) >>> 0);
});
