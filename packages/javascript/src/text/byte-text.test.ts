import fc from "fast-check";
import { expect, test } from "vitest";
import { ByteText } from "./byte-text.js";

test("texts that were written in parts are their UTF-8, whatever the parts", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "grapheme" })), fc.array(fc.string({ unit: "grapheme" })), (before, after) => {
      const [first, second] = [new ByteText(), new ByteText()];
      for (const part of before) first.add(part);
      for (const part of after) second.add(part);
      expect(Buffer.from(ByteText.joined([first, second])).toString("utf8")).toBe([...before, ...after].join(""));
    }),
  );
});

test("a text larger than a piece, with letters of several bytes at its border, stays whole", () => {
  const text = new ByteText();
  const long = `a${"€😀".repeat(400_000)}`;
  text.add(long);
  expect(Buffer.concat([...text.pieces()]).toString("utf8")).toBe(long);
});
