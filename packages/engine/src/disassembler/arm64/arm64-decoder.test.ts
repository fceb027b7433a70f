import { describe, expect, test } from "vitest";
import { flow } from "../flow.js";
import { Arm64Decoder } from "./arm64-decoder.js";
import { splitOperands } from "../capstone/operand-texts.js";

function decoder(...words: readonly number[]): Arm64Decoder {
  const bytes = new Uint8Array(Uint32Array.from(words).buffer);
  return new Arm64Decoder({ bytes, start: 0x10000, base: 0n, absolute: false, imageSize: 0x100000, relocated: () => false, data: new Set() });
}

describe("control flow", () => {
  test.each([
    ["b +8", 0x14000002, flow.jump, 0x10008],
    ["bl -4", 0x97ffffff, flow.call, 0xfffc],
    ["b.ne +8", 0x54000041, flow.conditionalJump, 0x10008],
    ["cbz x0, -8", 0xb4ffffc0, flow.conditionalJump, 0xfff8],
    ["tbnz w0, #3, +16", 0x37180080, flow.conditionalJump, 0x10010],
    ["br x1", 0xd61f0020, flow.indirectJump, -1],
    ["blr x1", 0xd63f0020, flow.indirectCall, -1],
    ["ret", 0xd65f03c0, flow.return, -1],
    ["retaa", 0xd65f0bff, flow.return, -1],
    ["svc #0", 0xd4000001, flow.sequential, -1],
    ["brk #1", 0xd4200020, flow.trap, -1],
    ["nop", 0xd503201f, flow.padding, -1],
    ["udf #0", 0, flow.trap, -1],
  ])("%s", (_text, word, kind, target) => {
    const one = decoder(word);
    expect(one.decode(0)).toBe(true);
    expect([one.flow, one.target]).toEqual([kind, target]);
  });

  test("words of groups that are not allocated are no instructions", () => {
    expect(decoder(0x02000000).decode(0)).toBe(false);
    expect(decoder(0x06000000).decode(0)).toBe(false);
  });
});

describe("addresses", () => {
  test("adrp is completed by the add or load after it", () => {
    // adrp x0, +2 pages; add x0, x0, #0x10; ldr x1, [x0, #8]; str w2, [x0, #4]
    const one = decoder(0xd0000000, 0x91004000, 0xf9400401, 0xb9000402);
    const found = [0, 4, 8, 12].map((offset) => {
      one.scan(offset);
      return one.referenceCount === 0 ? undefined : [one.referenceTo(0), one.referenceKind(0), one.referenceOperand(0)];
    });
    expect(found).toEqual([undefined, [0x12010, 4, 2], [0x12018, 2, 1], [0x12014, 3, 1]]);
  });

  test("a register that was written since says nothing", () => {
    // adrp x0; mov x0, x1; ldr x1, [x0, #8]
    const one = decoder(0xd0000000, 0xaa0103e0, 0xf9400401);
    for (const offset of [0, 4, 8]) one.scan(offset);
    expect(one.referenceCount).toBe(0);
  });

  test("a call forgets the registers a callee may change and keeps the others", () => {
    // adrp x0; adrp x19; bl; ldr x1, [x0]; ldr x1, [x19]
    const one = decoder(0xd0000000, 0xd0000013, 0x94000010, 0xf9400001, 0xf9400261);
    for (const offset of [0, 4, 8, 12]) one.scan(offset);
    expect(one.referenceCount).toBe(0);
    one.scan(16);
    expect(one.referenceTo(0)).toBe(0x12000);
  });
});

test("operands split at commas outside brackets, shifts stay with their register", () => {
  expect(splitOperands("x0, x1, x2, lsl #3")).toEqual(["x0", "x1", "x2, lsl #3"]);
  expect(splitOperands("x0, [x1, w2, uxtw #2]")).toEqual(["x0", "[x1, w2, uxtw #2]"]);
  expect(splitOperands("{v0.16b, v1.16b}, [x0], #0x20")).toEqual(["{v0.16b, v1.16b}", "[x0]", "#0x20"]);
  expect(splitOperands("")).toEqual([]);
});
