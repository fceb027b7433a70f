import fc from "fast-check";
import { expect, test } from "vitest";
import { processScenarioSchema } from "@rea/core";
import { hiddenValuesOf } from "./hidden-values.js";
import { Redactor } from "./redactor.js";
import { StreamRedactor } from "./stream-redactor.js";

const redactorOf = (...texts: string[]): Redactor =>
  new Redactor(texts.map((text, index) => ({ alias: `<${String(index)}>`, bytes: Buffer.from(text) })));

test("a value is replaced wherever it stands, and nothing else changes", () => {
  const redactor = redactorOf("hunter2", "pässwörd");
  expect(redactor.text("say hunter2, hunter2! pässwörd")).toBe("say <0>, <0>! <1>");
  expect(redactor.bytes(Buffer.from("a\xffhunter2\x00", "latin1"))).toEqual(Buffer.from("a\xff<0>\x00", "latin1"));
});

test("values that overlap leave nothing of either", () => {
  expect(redactorOf("abcd", "cdef").text("xabcdefx")).toBe("x<0>x");
  expect(redactorOf("abab").text("abababab.")).toBe("<0>.");
});

test("a value is replaced however the stream is cut, and all else comes out unchanged", () => {
  const secrets = ["tokentoken1", "toke", "aaab", "ünïcode"];
  const piece = fc.oneof(fc.constantFrom(...secrets), fc.string({ maxLength: 5 }), fc.constantFrom("tok", "aaa", "ü"));
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }), (pieces, cuts) => {
      const redactor = redactorOf(...secrets);
      const whole = Buffer.from(pieces.join(""));
      const stream = new StreamRedactor(redactor);
      const out: Buffer[] = [];
      for (let at = 0, cut = 0; at < whole.length; cut += 1) {
        const length = cuts[cut % cuts.length] ?? 1;
        out.push(stream.take(whole.subarray(at, at + length)));
        at += length;
      }
      out.push(stream.end());
      const text = Buffer.concat(out);
      for (const secret of secrets) expect(text.includes(secret)).toBe(false);
      const begun = redactor.openEnd(whole);
      if (begun === 0) expect(text.equals(redactor.bytes(whole))).toBe(true);
      if (!secrets.some((secret) => whole.includes(secret.slice(0, 4)))) expect(text.equals(whole)).toBe(true);
    }),
  );
});

test("a value that goes on as a longer one leaves nothing of the longer one", () => {
  const stream = new StreamRedactor(redactorOf("pass", "password123"));
  expect(["say pass", "word", "123!"].map((chunk) => stream.take(Buffer.from(chunk)).toString()).join("")).toBe("say <1>!");
  const overlapping = new StreamRedactor(redactorOf("abcd", "cdefgh"));
  expect(["abcd", "ef", "gh."].map((chunk) => overlapping.take(Buffer.from(chunk)).toString()).join("")).toBe("<0>.");
});

test("the beginning of a value at the end of the stream is hidden", () => {
  const stream = new StreamRedactor(redactorOf("correct horse"));
  expect(stream.take(Buffer.from("typed: correct hor")).toString()).toBe("typed: ");
  expect(stream.end().toString()).toBe("<0>");
});

test("each line of sensitive input is hidden, and secrets by their names", () => {
  const scenario = processScenarioSchema.parse({
    executable: "/bin/cat",
    events: [{ kind: "input", at_ms: 0, data: "user1\nhunter2\n", sensitive: true }],
  });
  const redactor = new Redactor(hiddenValuesOf(scenario, new Map([["TOKEN", "abcdef"]])));
  expect(redactor.text("user1\r\nhunter2\r\nabcdef")).toBe("<sensitive:0>\r\n<sensitive:0>\r\n<secret:TOKEN>");
});

test("what a terminal shows of sensitive input between keys and control characters is hidden", () => {
  const scenario = processScenarioSchema.parse({
    executable: "/bin/cat",
    events: [
      { kind: "input", at_ms: 0, data: "hunter2\u0004", sensitive: true },
      { kind: "input", at_ms: 1, data: "\u001b[200~correct horse\u001b[201~\r", sensitive: true },
      { kind: "input", at_ms: 2, data: "\u001bOAstaple\u001b:q!!\r", sensitive: true },
    ],
  });
  const redactor = new Redactor(hiddenValuesOf(scenario, new Map()));
  expect(redactor.text("hunter2 correct horse staple")).toBe("<sensitive:0> <sensitive:1> <sensitive:2>");
});
