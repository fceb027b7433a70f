import { memorySource } from "@rea/core";
import { describe, expect, test } from "vitest";
import type { OpenedSource } from "../../src/format.js";
import { asar } from "../../src/formats/asar/index.js";
import { kindsOf, readContainer, statesOf } from "../read-container.js";
import { buildAsar, fileNode, integrityOf, sha256, type Json } from "./build-asar.js";

interface Quirk {
  readonly title: string;
  readonly archive: () => Uint8Array;
  readonly members: readonly string[];
  readonly anomalies: readonly string[];
  readonly omissions?: readonly string[];
  /** Files beside the archive `app.asar`, by path. */
  readonly beside?: { readonly [path: string]: string };
}

const a = fileNode("alpha", 0);
const b = fileNode("beta", 5);
const root = (files: { readonly [name: string]: Json }): Json => ({ files });

function bare(content: string, offset: number | string): { [key: string]: Json } {
  return { size: Buffer.byteLength(content), offset: String(offset) };
}

function nested(depth: number): string {
  return `{"files":${'{"d":{"files":'.repeat(depth)}{}${"}}".repeat(depth)}}`;
}

const unpacked = (content: string): { [key: string]: Json } => ({ size: Buffer.byteLength(content), unpacked: true, integrity: integrityOf(content) });

const header: readonly Quirk[] = [
  { title: "no files", archive: () => buildAsar(root({}), ""), members: [], anomalies: [] },
  { title: "two files", archive: () => buildAsar(root({ "a": a, "b": b }), "alphabeta"), members: ["a=ok", "b=ok"], anomalies: [] },
  { title: "files in directories, in the header's order", archive: () => buildAsar(root({ d: { files: { "2": a, "1": b } } }), "alphabeta"), members: ["d=none", "d/1=ok", "d/2=ok"], anomalies: ["unordered_offsets"] },
  { title: "a first pickle of another size", archive: () => buildAsar(root({ a }), "alpha", { first: 8 }), members: ["a=ok"], anomalies: ["header_size_mismatch"] },
  { title: "a payload size that contradicts the header's", archive: () => buildAsar(root({ a }), "alpha", { payloadBytes: 9000 }), members: ["a=ok"], anomalies: ["header_size_mismatch"] },
  { title: "a JSON size that cuts the header", archive: () => buildAsar(root({ a }), "alpha", { jsonBytes: 10 }), members: [], anomalies: ["gap", "header_size_mismatch", "trailing_data"], omissions: ["malformed"] },
  { title: "a JSON size behind the end of the file", archive: () => buildAsar(root({ a }), "alpha", { jsonBytes: 0x7fff_ffff, padding: Buffer.alloc(2) }), members: ["a=ok"], anomalies: ["header_size_mismatch"], omissions: ["malformed"] },
  { title: "a header size behind the end of the file", archive: () => buildAsar(root({ a }), "alpha", { headerBytes: 0xffff_fff0 }), members: ["a=malformed"], anomalies: ["gap", "header_size_mismatch"], omissions: ["malformed"] },
  { title: "something between JSON and data", archive: () => buildAsar(root({ a }), "alpha", { padding: Buffer.from("secret!!") }), members: ["a=ok"], anomalies: ["gap", "header_size_mismatch"] },
  { title: "a header that is no JSON", archive: () => buildAsar("{\"files\":{\"a\":{\"size\":5,", "alpha"), members: [], anomalies: ["trailing_data"], omissions: ["malformed"] },
  { title: "what stands before the damage is kept", archive: () => buildAsar(`{"files":{"a":${JSON.stringify(a)},"b":!}}`, "alpha"), members: ["a=ok"], anomalies: [], omissions: ["malformed"] },
  { title: "something behind the JSON's end", archive: () => buildAsar(`${JSON.stringify(root({ a }))} {}`, "alpha"), members: ["a=ok"], anomalies: [], omissions: ["malformed"] },
  { title: "a header of another shape", archive: () => buildAsar("{\"x\":[1,{\"y\":2}],\"files\":null}", ""), members: [], anomalies: [] },
  { title: "nesting to a depth of 250", archive: () => buildAsar(nested(250), ""), members: Array.from({ length: 250 }, (_, i) => `${"d/".repeat(i)}d=none`), anomalies: [] },
  { title: "directories nested too deep are passed over", archive: () => buildAsar(nested(5000), ""), members: Array.from({ length: 256 }, (_, i) => `${"d/".repeat(i)}d=none`), anomalies: [], omissions: ["malformed"] },
  { title: "other values nested deep cost nothing", archive: () => buildAsar(`{"x":${"[".repeat(200_000)}${"]".repeat(200_000)},"files":{"a":${JSON.stringify(a)}}}`, "alpha"), members: ["a=ok"], anomalies: [] },
];

const places: readonly Quirk[] = [
  { title: "a gap between files", archive: () => buildAsar(root({ a, b: fileNode("beta", 9) }), "alpha....beta"), members: ["a=ok", "b=ok"], anomalies: ["gap"] },
  { title: "bytes behind the last file", archive: () => buildAsar(root({ a }), "alpha", { trailing: Buffer.from("extra") }), members: ["a=ok"], anomalies: ["trailing_data"] },
  { title: "overlapping files", archive: () => buildAsar(root({ a, b: fileNode("habe", 3) }), "alphabe"), members: ["a=ok", "b=ok"], anomalies: ["overlap"] },
  { title: "two names for the same bytes", archive: () => buildAsar(root({ a, b: a }), "alpha"), members: ["a=ok", "b=ok"], anomalies: ["overlap"] },
  { title: "offsets in another order", archive: () => buildAsar(root({ b, a }), "alphabeta"), members: ["b=ok", "a=ok"], anomalies: ["unordered_offsets"] },
  { title: "an offset beyond 2^53", archive: () => buildAsar(root({ a: bare("alpha", "9007199254740993") }), "alpha"), members: ["a=malformed"], anomalies: ["trailing_data"] },
  { title: "an offset beyond 2^64", archive: () => buildAsar(root({ a: bare("alpha", "99999999999999999999") }), "alpha"), members: ["a=malformed"], anomalies: ["trailing_data"] },
  { title: "an offset that is no number", archive: () => buildAsar(root({ a: bare("alpha", "0x0") }), "alpha"), members: ["a=malformed"], anomalies: ["trailing_data"] },
  { title: "an offset as a JSON number", archive: () => buildAsar(root({ a: { size: 5, offset: 0 } }), "alpha"), members: ["a=malformed"], anomalies: ["trailing_data"] },
  { title: "an offset behind the end", archive: () => buildAsar(root({ a: bare("alpha", 1) }), "alpha"), members: ["a=malformed"], anomalies: ["trailing_data"] },
  { title: "a negative size", archive: () => buildAsar(root({ a: { size: -5, offset: "0" } }), "alpha"), members: ["a=malformed"], anomalies: ["trailing_data"] },
  { title: "a size that is no whole number", archive: () => buildAsar(root({ a: { size: 1.5, offset: "0" } }), "alpha"), members: ["a=malformed"], anomalies: ["trailing_data"] },
  { title: "an empty file", archive: () => buildAsar(root({ e: fileNode("", 0), a }), "alpha"), members: ["e=ok", "a=ok"], anomalies: [] },
];

const names: readonly Quirk[] = [
  { title: "a file named __proto__", archive: () => buildAsar(`{"files":{"__proto__":${JSON.stringify(a)},"constructor":${JSON.stringify(b)}}}`, "alphabeta"), members: ["__proto__=ok", "constructor=ok"], anomalies: [] },
  { title: "a directory named __proto__", archive: () => buildAsar(`{"files":{"__proto__":{"files":{"a":${JSON.stringify(a)}}}}}`, "alpha"), members: ["__proto__=none", "__proto__/a=ok"], anomalies: [] },
  { title: "the same key twice hides nothing", archive: () => buildAsar(`{"files":{"a":${JSON.stringify(a)},"a":${JSON.stringify(b)}}}`, "alphabeta"), members: ["a=ok", "a=ok"], anomalies: [] },
  { title: "a key with slashes", archive: () => buildAsar(root({ "../x/y": a }), "alpha"), members: ["../x/y=ok"], anomalies: ["unsafe_name"] },
  { title: "escapes in a key", archive: () => buildAsar(`{"files":{"gr\\u00fc\\u00dfe \\ud83d\\ude00":${JSON.stringify(a)}}}`, "alpha"), members: ["grüße 😀=ok"], anomalies: [] },
  { title: "half a surrogate pair in a key", archive: () => buildAsar(`{"files":{"x\\ud83d":${JSON.stringify(a)}}}`, "alpha"), members: ["x\\ud83d=ok"], anomalies: [] },
  { title: "a node that is a file and a directory", archive: () => buildAsar(root({ x: { ...a, files: {} } }), "alpha"), members: ["x=none"], anomalies: ["prefix_conflict", "trailing_data"] },
];

const links: readonly Quirk[] = [
  { title: "a link", archive: () => buildAsar(root({ a, l: { link: "a" } }), "alpha"), members: ["a=ok", "l=none"], anomalies: [] },
  { title: "a link to itself", archive: () => buildAsar(root({ l: { link: "l" } }), ""), members: ["l=none"], anomalies: ["link_cycle"] },
  { title: "links in a circle", archive: () => buildAsar(root({ x: { link: "y" }, y: { link: "z" }, z: { link: "x" } }), ""), members: ["x=none", "y=none", "z=none"], anomalies: ["link_cycle"] },
  { title: "a circle over a directory", archive: () => buildAsar(root({ d: { files: { l: { link: "d/l/x" } } } }), ""), members: ["d=none", "d/l=none"], anomalies: ["link_cycle"] },
  { title: "a link to a directory above is no circle", archive: () => buildAsar(root({ d: { files: { l: { link: "d" } } } }), ""), members: ["d=none", "d/l=none"], anomalies: [] },
  { title: "a link that leads out", archive: () => buildAsar(root({ l: { link: "../../etc/passwd" } }), ""), members: ["l=none"], anomalies: [] },
];

const integrity: readonly Quirk[] = [
  { title: "tampered bytes", archive: () => buildAsar(root({ a }), "alphA"), members: ["a=digest"], anomalies: [] },
  { title: "no integrity anywhere", archive: () => buildAsar(root({ a: bare("alpha", 0), b: bare("beta", 5) }), "alphabeta"), members: ["a=ok", "b=ok"], anomalies: [] },
  { title: "integrity for some files only", archive: () => buildAsar(root({ a, b: bare("beta", 5) }), "alphabeta"), members: ["a=ok", "b=ok"], anomalies: ["missing_integrity"] },
  { title: "blocks of another size", archive: () => buildAsar(root({ a: { ...bare("alpha", 0), integrity: integrityOf("alpha", 2) } }), "alpha"), members: ["a=ok"], anomalies: [] },
  { title: "too few blocks", archive: () => buildAsar(root({ a: { ...bare("alpha", 0), integrity: { ...integrityOf("alpha", 2), blocks: [sha256(Buffer.from("al"))] } } }), "alpha"), members: ["a=blocks"], anomalies: ["digest_mismatch"] },
  { title: "a wrong block size", archive: () => buildAsar(root({ a: { ...bare("alpha", 0), integrity: { ...integrityOf("alpha"), blockSize: 3 } } }), "alpha"), members: ["a=blocks"], anomalies: ["digest_mismatch"] },
  { title: "a wrong block under a right whole", archive: () => buildAsar(root({ a: { ...bare("alpha", 0), integrity: { ...integrityOf("alpha"), blocks: [sha256(Buffer.from("x"))] } } }), "alpha"), members: ["a=blocks"], anomalies: [] },
  { title: "one more block of nothing behind full ones", archive: () => buildAsar(root({ a: { ...bare("alph", 0), integrity: { ...integrityOf("alph", 2), blocks: [sha256(Buffer.from("al")), sha256(Buffer.from("ph")), sha256(Buffer.alloc(0))] } } }), "alph"), members: ["a=ok"], anomalies: [] },
  { title: "a block size of nothing", archive: () => buildAsar(root({ a: { ...bare("alpha", 0), integrity: { ...integrityOf("alpha"), blockSize: 0 } } }), "alpha"), members: ["a=ok"], anomalies: ["digest_mismatch"] },
  { title: "a hash that is none", archive: () => buildAsar(root({ a: { ...bare("alpha", 0), integrity: { ...integrityOf("alpha"), hash: "abc" } } }), "alpha"), members: ["a=ok"], anomalies: ["digest_mismatch"] },
  { title: "another algorithm", archive: () => buildAsar(root({ a: { ...bare("alpha", 0), integrity: { ...integrityOf("alpha"), algorithm: "MD5" } } }), "alpha"), members: ["a=ok"], anomalies: [], omissions: ["unsupported_method"] },
  { title: "integrity of another shape", archive: () => buildAsar(root({ a: { ...bare("alpha", 0), integrity: "none" } }), "alpha"), members: ["a=ok"], anomalies: [] },
];

const companions: readonly Quirk[] = [
  { title: "an unpacked file beside the archive", archive: () => buildAsar(root({ d: { files: { n: unpacked("native") } } }), ""), beside: { "app.asar.unpacked/d/n": "native" }, members: ["d=none", "d/n=ok"], anomalies: [] },
  { title: "an unpacked file that was changed", archive: () => buildAsar(root({ n: unpacked("native") }), ""), beside: { "app.asar.unpacked/n": "nativE" }, members: ["n=digest"], anomalies: [] },
  { title: "an unpacked file of another size", archive: () => buildAsar(root({ n: unpacked("native") }), ""), beside: { "app.asar.unpacked/n": "nativ" }, members: ["n=size"], anomalies: [] },
  { title: "a missing unpacked file", archive: () => buildAsar(root({ n: unpacked("native"), a }), "alpha"), members: ["n=missing_companion", "a=ok"], anomalies: [] },
  { title: "an unpacked file whose name leads elsewhere", archive: () => buildAsar(root({ "..": { files: { n: unpacked("native") } } }), ""), beside: { "app.asar.unpacked/../n": "native" }, members: ["..=none", "../n=missing_companion"], anomalies: [] },
];

function opener(beside: Quirk["beside"]): (path: string) => OpenedSource | undefined {
  return (path) => {
    const text = beside?.[path];
    return text === undefined ? undefined : { ...memorySource(Buffer.from(text)), close: () => undefined };
  };
}

const groups: readonly (readonly [string, readonly Quirk[]])[] = [
  ["headers of ASAR archives", header],
  ["places of files", places],
  ["names", names],
  ["links", links],
  ["integrity records", integrity],
  ["unpacked companions", companions],
];

for (const [title, quirks] of groups) {
  describe(title, () => {
    for (const quirk of quirks) {
      test(quirk.title, async () => {
        const found = await readContainer(asar, quirk.archive(), { containerName: "app.asar", openBeside: opener(quirk.beside) });
        expect({ members: statesOf(found), anomalies: kindsOf(found), omissions: found.omissions.map(({ reason }) => reason) }).toEqual({
          members: quirk.members,
          anomalies: quirk.anomalies,
          omissions: quirk.omissions ?? [],
        });
      });
    }
  });
}
