import { isReaError } from "@rea/core";
import fc from "fast-check";
import { expect, test } from "vitest";
import { XmlScanner, type XmlToken } from "./xml-scanner.js";

function tokens(text: string): readonly XmlToken[] {
  const scanner = new XmlScanner(text);
  const found: XmlToken[] = [];
  for (let token = scanner.next(); token !== undefined; token = scanner.next()) found.push(token);
  return found;
}

function shown(text: string): string {
  return tokens(text)
    .map((token) => {
      if (token.kind === "text") return JSON.stringify(token.text);
      if (token.kind === "close") return `/${token.name}`;
      return `${token.name}${[...token.attributes].map(([key, value]) => ` ${key}=${value}`).join("")}${token.isEmpty ? " empty" : ""}`;
    })
    .join("|");
}

test("tags, attributes, references and text come in their order", () => {
  const text = '<?xml version="1.0"?><!DOCTYPE plist PUBLIC "a" "b"><!-- no --><a x="1" y=\'&lt;>\'>t&amp;&#x41;&#66;<b/><![CDATA[<&]]></a >\n';
  expect(shown(text)).toBe('a x=1 y=<>|"t&AB"|b empty|"<&"|/a|"\\n"');
});

test.each([
  "<a>",
  "<a></b>",
  "</a>",
  "<a x=1></a>",
  '<a x="1" x="2"/>',
  "<a>&other;</a>",
  "<a>&#x110000;</a>",
  "<a>& </a>",
  "text",
  "<!-- <a/>",
  '<!DOCTYPE a [<!ENTITY b "c">]><a/>',
  "<!ELEMENT a><a/>",
  "<",
  "<a".repeat(3),
  "<a>".repeat(2000),
])("%j is refused", (text) => {
  expect(() => tokens(text)).toThrow(/XML/);
});

test.each(["<a ", "<!--", "<a>", "&", "<![CDATA[", "<a x=", " ", "<a x='", "\t<a\n", "</"])("a megabyte of %j is read in one pass", (unit) => {
  expect(() => tokens(`<r>${unit.repeat(1_000_000 / unit.length)}`)).toThrow(/XML/);
});

test("random text gives tokens or a refusal, nothing else", () => {
  const piece = fc.constantFrom("<", ">", "/", "a", " ", "=", '"', "'", "&", ";", "!", "--", "[", "]", "?", "#x41", "CDATA[", "amp", "<a>", "</a>");
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      try {
        tokens(pieces.join(""));
      } catch (error) {
        expect(isReaError(error)).toBe(true);
      }
    }),
    { numRuns: 2000 },
  );
});
