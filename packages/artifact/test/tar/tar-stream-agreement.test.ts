import { pack, type Header } from "tar-stream";
import { expect, test } from "vitest";
import fc from "fast-check";
import { tarFormat } from "../../src/formats/tar/tar-format.js";
import { collect } from "../sequential/collect-entries.js";
import { libraryRows } from "./library-rows.js";
import { tarQuirks } from "./tar-quirks.js";

interface Row {
  readonly name: string;
  readonly size: number;
  readonly sha256: string | undefined;
}

const withoutContent: ReadonlySet<string> = new Set(["directory", "symlink", "link", "block-device", "character-device", "fifo"]);

/** Members as the library sees them; undefined when it gives up. */
async function byLibrary(bytes: Buffer): Promise<readonly Row[] | undefined> {
  return (await libraryRows(bytes))?.map(({ name, type, size, sha256: digest }) => {
    const isFile = type === null || !withoutContent.has(type);
    return { name: name.replace(/\/$/, ""), size: isFile ? size : 0, sha256: isFile ? digest : undefined };
  });
}

async function byUs(bytes: Buffer): Promise<readonly Row[]> {
  const { entries } = await collect(tarFormat, bytes);
  return entries.map(({ name, kind, bytes: size, sha256: digest }) => ({ name: name.replace(/\/$/, ""), size: kind === "file" ? (size ?? 0) : 0, sha256: digest }));
}

async function packed(entries: readonly (readonly [Partial<Header> & Pick<Header, "name">, string])[]): Promise<Buffer> {
  const writer = pack();
  for (const [header, content] of entries) {
    if (header.type === "file") writer.entry(header, content);
    else writer.entry(header);
  }
  writer.finalize();
  const parts: Uint8Array[] = [];
  for await (const piece of writer) if (piece instanceof Uint8Array) parts.push(piece);
  return Buffer.concat(parts);
}

const segment = fc.stringMatching(/^[a-zäß ]{1,40}$/u).filter((text) => text.trim() === text);
const path = fc.array(segment, { minLength: 1, maxLength: 7 }).map((segments) => segments.join("/"));
const entry = fc.oneof(
  fc.tuple(path, fc.string({ maxLength: 1500 })).map(([name, content]) => [{ name, type: "file" as const, mode: 0o644 }, content] as const),
  path.map((name) => [{ name, type: "directory" as const }, ""] as const),
  fc.tuple(path, path).map(([name, linkname]) => [{ name, linkname, type: "symlink" as const }, ""] as const),
  fc.tuple(path, path).map(([name, linkname]) => [{ name, linkname, type: "link" as const }, ""] as const),
);

test("whatever tar-stream packs, both read the same members, sizes and bytes", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(entry, { maxLength: 6 }), async (entries) => {
      const bytes = await packed(entries);
      const ours = await byUs(bytes);
      expect(ours).toEqual(await byLibrary(bytes));
      expect(ours.map(({ name }) => name)).toEqual(entries.map(([{ name }]) => name));
    }),
    { numRuns: 100 },
  );
});

/** Quirks that the library reads in another way, and how. */
const differs: { readonly [title: string]: string | undefined } = {
  "a V7 directory, which is a file with a slash at the end": "it takes the directory for a file",
  "a pax size that is no number": "it reads the header's size and then gives up",
  "a global pax header that a member's own one overrides": "it forgets global headers behind the first member",
  "a pax record with a wrong length": "it reads past the record",
  "hdrcharset BINARY with a name that is no UTF-8": "it loses bytes that are no UTF-8",
  "a negative base-256 size": "it reads a negative size as zero",
  "a base-256 size beyond 2⁵³": "it looks past the end of the data",
  "a size that is no number": "it gives up",
  "an old GNU sparse member": "it gives the stored bytes",
  "an old GNU sparse member with extension blocks": "it gives the stored bytes and then gives up",
  "a pax 0.0 sparse member": "it gives the stored bytes",
  "a pax 0.1 sparse member": "it gives the stored bytes under the stand-in name",
  "a pax 1.0 sparse member": "it gives the map and the stored bytes under the stand-in name",
  "a sparse member that is one hole": "it gives the stored bytes",
  "a sparse map whose parts are no whole blocks": "it gives the stored bytes",
  "a sparse map whose parts overlap": "it gives the stored bytes",
  "a sparse map that asks for more than is stored": "it gives the stored bytes",
  "a hard link that declares a size and has no data": "it takes the next header for the link's data and gives up",
  "a checksum summed up with signed bytes": "it knows unsigned sums only",
  "a header with a bad checksum among good ones": "it gives up there",
  "two archives one after another": "it forgets global headers behind the first member",
  "other data behind the end marker": "it gives up on the trailing bytes",
  "a member longer than the archive": "it gives up before the member",
  "a volume label and a directory listing with data": "it gives the listing as content",
};

test.each(tarQuirks.map((quirk) => [quirk.title, quirk] as const))("tar-stream and we agree on: %s", async (title, { bytes }) => {
  const same = JSON.stringify(await byLibrary(bytes)) === JSON.stringify(await byUs(bytes));
  expect(same, differs[title] ?? "no difference is known").toBe(differs[title] === undefined);
});
