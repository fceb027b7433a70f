import fc from "fast-check";
import { expect, test } from "vitest";
import { ShownSequences } from "./shown-sequences.js";

const shown = (text: string): string => new ShownSequences().take(text);

test("text, colours, movement and the other screen are shown as they are", () => {
  const text = "a\r\n\x1b[1;38:5:9mred\x1b[0m\x1b[2J\x1b[10;20H\x1b[?1049h\x1b[?25lü🙂\x1b(B\x1b7\x1b8\t";
  expect(shown(text)).toBe(text);
});

test.each([
  ["a window title", "\x1b]0;title\x07"],
  ["the clipboard", "\x1b]52;c;aGk=\x1b\\"],
  ["a device query", "\x1b[c"],
  ["a cursor report", "\x1b[6n"],
  ["a window report", "\x1b[21t"],
  ["a device control string", "\x1bP$q\"p\x1b\\"],
  ["mouse reports", "\x1b[?1000h"],
  ["pasting in brackets together with a shown mode", "\x1b[?25;2004h"],
  ["an eight-bit control", "\x9b"],
  ["a bell", "\x07"],
])("%s is left out", (_what, sequence) => {
  expect(shown(`<${sequence}>`)).toBe("<>");
});

test("however output is cut, the same is shown, and never a sequence that makes a terminal answer", () => {
  const piece = fc.oneof(fc.constantFrom("\x1b", "[", "]", "6n", "?", "25", "h", ";", "\x07", "\x1b\\", "m", "P", "a", "\x1b[c", "\x1b]0;x"), fc.string({ maxLength: 3 }));
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
      const whole = shown(pieces.join(""));
      const filter = new ShownSequences();
      expect([...pieces.join("")].map((part) => filter.take(part)).join("")).toBe(whole);
      expect(whole).not.toMatch(/\x1b\[[0-9;]*[cnt]|\x1b[\]P]|\x1b\[\?[0-9;]*2004/);
    }),
  );
});
