import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sha256 } from "../sequential/collect-entries.js";
import { archive, base256, gnuLong, member, pax } from "./build-tar.js";
import { libraryRows } from "./library-rows.js";
import { tarQuirks } from "./tar-quirks.js";
import { readAhead, readOnce, type TarReading } from "./tar-readings.js";

const runs = Number(process.env["REA_FUZZ_RUNS"] ?? "300");

interface Made {
  readonly bytes: Buffer;
  readonly name: string;
  readonly sha256: string | undefined;
  readonly link: string | undefined;
}

const short = fc.stringMatching(/^[a-zA-Zäöß0-9._ -]{1,30}$/u).filter((text) => text.trim() === text);
const long = fc.array(short, { minLength: 4, maxLength: 12 }).map((parts) => parts.join("/"));
const data = fc.oneof(fc.uint8Array({ maxLength: 40 }), fc.uint8Array({ minLength: 500, maxLength: 1600 }), fc.constantFrom(0, 511, 512, 513, 1024).map((length) => new Uint8Array(length).fill(7)));
const magic = fc.constantFrom("v7", "ustar", "gnu" as const);

/** Members that say everything once, in the ways that real programs write. */
const made: fc.Arbitrary<Made> = fc.oneof(
  fc.record({ name: short, data, magic }).map(({ name, data: bytes, magic: m }) => file(name, bytes, member({ name, magic: m, data: Buffer.from(bytes) }))),
  fc.record({ name: short, data }).map(({ name, data: bytes }) => file(name, bytes, member({ name, magic: "gnu", size: base256(BigInt(bytes.length), 12), data: Buffer.from(bytes) }))),
  fc.record({ name: short, prefix: short, data }).map(({ name, prefix, data: bytes }) => file(`${prefix}/${name}`, bytes, member({ name, prefix, data: Buffer.from(bytes) }))),
  fc.record({ name: long, data }).map(({ name, data: bytes }) => file(name, bytes, Buffer.concat([gnuLong("L", name), member({ name: "cut", magic: "gnu", data: Buffer.from(bytes) })]))),
  fc.record({ name: long, data, sized: fc.boolean() }).map(({ name, data: bytes, sized }) => file(name, bytes, Buffer.concat([pax([["mtime", "1.5"], ["path", name], ...(sized ? [["size", String(bytes.length)] as const] : [])]), member({ name: "cut", data: Buffer.from(bytes), ...(sized ? { size: 0 } : {}) })]))),
  fc.record({ name: short, data }).map(({ name, data: bytes }) => file(name, bytes, member({ name, typeflag: "7", data: Buffer.from(bytes) }))),
  short.map((name) => bare(`${name}/`, undefined, member({ name: `${name}/`, typeflag: "5" }))),
  fc.constantFrom("3", "4", "6").map((typeflag) => bare("device", undefined, member({ name: "device", typeflag }))),
  fc.record({ name: short, link: short, typeflag: fc.constantFrom("1", "2") }).map(({ name, link, typeflag }) => bare(name, link, member({ name, link, typeflag }))),
  fc.record({ name: short, link: long }).map(({ name, link }) => bare(name, link, Buffer.concat([gnuLong("K", link), member({ name, magic: "gnu", link: "cut", typeflag: "2" })]))),
  fc.record({ name: short, link: long }).map(({ name, link }) => bare(name, link, Buffer.concat([pax([["linkpath", link]]), member({ name, link: "cut", typeflag: "1" })]))),
);

function file(name: string, bytes: Uint8Array, packed: Buffer): Made {
  return { bytes: packed, name, sha256: sha256(bytes), link: undefined };
}

function bare(name: string, link: string | undefined, packed: Buffer): Made {
  return { bytes: packed, name, sha256: undefined, link };
}

describe("an ordinary archive, however its members are written,", () => {
  test("is streamed by tar-stream to its last member, in groups and as it passes, and nobody disagrees", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(made, { maxLength: 12 }), async (members) => {
        const bytes = archive(...members.map((one) => one.bytes));
        const expected = members.map(({ name, sha256: digest, link }) => ({ name, digest, link }));
        const ahead = await readAhead(bytes);
        for (const reading of [ahead, await readOnce(bytes)]) {
          expect(shown(reading)).toEqual(expected);
          expect(reading.anomalies).toEqual([]);
        }
        expect(ahead.members.every(({ entry, isStreamed, sha256: digest }) => entry.stretch !== undefined && isStreamed === (digest !== undefined))).toBe(true);
      }),
      { numRuns: runs },
    );
  });
});

function shown({ members }: TarReading): readonly { readonly name: string; readonly digest: string | undefined; readonly link: string | undefined }[] {
  return members.map(({ entry, name, sha256: digest }) => ({ name, digest, link: entry.linkTarget === null ? undefined : Buffer.from(entry.linkTarget).toString("utf8") }));
}

/** Members that are not ordinary by their headers, which our own reader alone reads; all others are streamed. */
const own: { readonly [title: string]: readonly string[] | undefined } = {
  "a V7 directory, which is a file with a slash at the end": ["dir/"],
  "star, whose prefix is shorter and followed by times": ["p/file"],
  "a pax size that is no number": ["file"],
  "a global pax header that a member's own one overrides": ["own", "global"],
  "a global comment, as git writes it": ["file"],
  "an empty pax value, which takes a global one back": ["file"],
  "a repeated pax key, the last of which counts": ["second"],
  "a pax record with a wrong length": ["file"],
  "hdrcharset BINARY with a name that is no UTF-8": ["a\u00ffb"],
  "a negative base-256 size": ["file"],
  "a base-256 size beyond 2⁵³": ["file"],
  "a size that is no number": ["file"],
  "an old GNU sparse member": ["sparse"],
  "an old GNU sparse member with extension blocks": ["sparse"],
  "a pax 0.0 sparse member": ["sparse"],
  "a pax 0.1 sparse member": ["real-name"],
  "a pax 1.0 sparse member": ["real-name"],
  "a sparse member that is one hole": ["sparse"],
  "a sparse map whose parts are no whole blocks": ["sparse"],
  "a sparse map whose parts overlap": ["sparse"],
  "a sparse map that asks for more than is stored": ["sparse"],
  "a hard link that declares a size and has no data": ["h"],
  "a contiguous file and one of a kind nobody knows": ["q"],
  "a checksum summed up with signed bytes": ["ääääääääääääääääääää"],
  "a zero block between members": ["b"],
  "two archives one after another": ["global", "b"],
  "a volume label and a directory listing with data": ["label", "dir/"],
  "a member longer than the archive": ["file"],
};

describe.each(tarQuirks.map((quirk) => [quirk.title, quirk] as const))("%s", (title, { bytes, members }) => {
  test("is left to our reader where it is not ordinary, and nobody disagrees on the rest", async () => {
    const ahead = await readAhead(bytes);
    expect(ahead.members.filter(({ entry }) => entry.stretch === undefined).map(({ name }) => name)).toEqual(own[title] ?? []);
    for (const reading of [ahead, await readOnce(bytes)]) {
      expect(reading.disagreements).toEqual([]);
      expect(reading.members.map(({ name }) => name)).toEqual(members.map(({ name }) => name));
    }
  });
});

const samples = [
  ...tarQuirks.map(({ bytes }) => bytes),
  archive(member({ name: "a", data: "x".repeat(700) }), gnuLong("L", "long/".repeat(40)), member({ name: "b", magic: "gnu", data: "y" }), pax([["path", "c".repeat(120)]]), member({ name: "c", data: "z".repeat(1100) }), member({ name: "l", typeflag: "2", link: "a" })),
];
/** Half of the changes go where headers stand, which decide what is ordinary. */
const change = fc.tuple(fc.oneof(fc.nat(), fc.nat({ max: 5 }).chain((block) => fc.nat({ max: 511 }).map((at) => block * 512 + at))), fc.nat(255));

/** Puts the sums of headers right again, so that a change is not merely a header that nobody reads. */
function resigned(bytes: Buffer): Buffer {
  for (let at = 0; at + 512 <= bytes.byteLength; at += 512) {
    const block = bytes.subarray(at, at + 512);
    if (!/^[0-7]{6}\0 $/.test(block.toString("latin1", 148, 156))) continue;
    block.fill(0x20, 148, 156);
    block.write(`${block.reduce((sum, byte) => sum + byte, 0).toString(8).padStart(6, "0")}\0 `, 148, "latin1");
  }
  return bytes;
}

const mutant = fc.tuple(fc.constantFrom(...samples), fc.array(change, { minLength: 1, maxLength: 5 }), fc.boolean()).map(([bytes, changes, signs]) => {
  const changed = Buffer.from(bytes);
  for (const [at, value] of changes) changed[at % changed.byteLength] = value;
  return signs ? resigned(changed) : changed;
});

test("of changed archives the library never sees in silence another member than we do", async () => {
  await fc.assert(
    fc.asyncProperty(mutant, async (bytes) => {
      const ahead = await readAhead(bytes);
      const once = await readOnce(bytes);
      expect(once.disagreements).toEqual(ahead.disagreements);
      expect(once.members.map(({ name, sha256: digest }) => [name, digest])).toEqual(ahead.members.map(({ name, sha256: digest }) => [name, digest]));
      // The library by itself, on the bytes of each ordinary member and on nothing else.
      let silent = 0;
      for (const { entry, name, sha256: digest } of ahead.members) {
        const { stretch } = entry;
        if (stretch === undefined) continue;
        const rows = await libraryRows(bytes.subarray(stretch.start, stretch.end));
        const [row] = rows ?? [];
        const same = rows?.length === 1 && row?.name === name && row.size === stretch.bytes && row.sha256 === (digest ?? sha256(""));
        if (!same) silent += 1;
      }
      expect(silent).toBe(ahead.disagreements.length);
    }),
    { numRuns: runs },
  );
});
