import { isReaError, omission } from "@rea/core";
import { turn } from "../../codecs/turn.js";
import type { Entry, EntryContent, EntryKind, EntryName, ReaderInput, Unavailable } from "../../format.js";
import { utf8Name } from "../../reading/entry-name.js";
import { FindingReport } from "../../reading/finding-report.js";
import { DataArea, reportBehind } from "./data-area.js";
import type { DirectoryEntry } from "./directory-listing.js";
import { blockCount, FileContents, sizeWords, storedBytes } from "./file-content.js";
import type { DirectoryData, FileData, Inode } from "./inode.js";
import type { SquashImage } from "./squash-image.js";

const longestPath = 65_535;
const deepest = 1024;
const linksKept = 200_000;
/** Words of block lists that are added up for all files together, so that a forged list costs no more than a large one. */
const sizeWordsAllowed = 1 << 24;
const slash = 0x2f;

interface OpenDirectory {
  readonly path: Uint8Array;
  readonly reference: number;
  readonly names: AsyncGenerator<DirectoryEntry, void, undefined>;
}

/** The tree of an image, a directory before what is in it. */
export class SquashWalk {
  readonly #image: SquashImage;
  readonly #input: ReaderInput;
  readonly #findings: FindingReport;
  readonly #contents: FileContents;
  readonly #area: DataArea;
  /** Directories that are listed, each once. */
  readonly #listed = new Set<number>();
  /** First path of each file with several names. */
  readonly #linked = new Map<number, Uint8Array>();
  readonly #open: OpenDirectory[] = [];
  #inodes = 0;
  #whole = true;
  #wordsLeft = sizeWordsAllowed;

  constructor(image: SquashImage, input: ReaderInput) {
    this.#image = image;
    this.#input = input;
    this.#findings = new FindingReport(input.report);
    this.#contents = new FileContents(image);
    this.#area = new DataArea(image);
  }

  async *entries(): AsyncGenerator<Entry, void, undefined> {
    try {
      await this.#openRoot();
      for (let top = this.#open.at(-1); top !== undefined; top = this.#open.at(-1)) {
        await turn(this.#input.signal);
        const next = await this.#nextName(top);
        if (next === undefined) this.#open.pop();
        else yield await this.#entry(top, next);
      }
      await this.#finish();
    } finally {
      this.#findings.finish();
    }
  }

  async #openRoot(): Promise<void> {
    const reference = this.#image.superblock.rootInode;
    const block = Number(reference >> 16n);
    const root = await this.#inode(block, Number(reference & 0xffffn), "The root directory");
    if (root === undefined) return;
    this.#inodes += 1;
    if (root.data.kind === "directory") this.#enter(new Uint8Array(0), referenceOf(block, Number(reference & 0xffffn)), root.data);
    else this.#malformed("The root is not a directory.");
  }

  async #nextName(directory: OpenDirectory): Promise<DirectoryEntry | undefined> {
    try {
      const step = await directory.names.next();
      return step.done === true ? undefined : step.value;
    } catch (error) {
      this.#caught(error, "A directory cannot be read to its end");
      return undefined;
    }
  }

  async #entry(directory: OpenDirectory, listed: DirectoryEntry): Promise<Entry> {
    const path = joined(directory.path, listed.name);
    const name = utf8Name(path);
    this.#checkName(listed, name);
    const inode = await this.#inode(listed.block, listed.offset, "The inode of a member");
    if (inode === undefined) return broken(name, kindOfType(listed.type));
    this.#checkInode(listed, inode, name);
    const reference = referenceOf(listed.block, listed.offset);
    const first = this.#linked.get(reference);
    if (first !== undefined) return { ...plain(name, "hardlink"), linkTarget: first };
    this.#inodes += 1;
    if (inode.links > 1 && inode.data.kind === "file" && this.#linked.size < linksKept) this.#linked.set(reference, path);
    return this.#ofInode(name, inode, reference);
  }

  async #ofInode(name: EntryName, { data, mode }: Inode, reference: number): Promise<Entry> {
    switch (data.kind) {
      case "directory":
        this.#enterOnce(name, data, reference);
        return plain(name, "directory");
      case "symlink":
        return { ...plain(name, "symlink"), linkTarget: data.target };
      case "special":
        return plain(name, "special");
      case "file":
        return this.#file(name, data, mode);
    }
  }

  async #file(name: EntryName, data: FileData, mode: number): Promise<Entry> {
    const stored = await this.#storedLength(data);
    const content: EntryContent | Unavailable =
      typeof stored === "string" ? { reason: "malformed", why: stored } : this.#contents.content(data);
    if (typeof stored === "number") this.#area.add(data.start, stored);
    else this.#area.unknown();
    return {
      ...plain(name, "file"),
      declaredBytes: data.bytes,
      // What stands in a fragment is shared with others and has no length of its own.
      compressedBytes: typeof stored === "number" && data.fragment === undefined ? stored : null,
      location: typeof stored === "number" && stored > 0 ? { offset: data.start, length: stored } : null,
      executable: (mode & 0o111) !== 0,
      checks: [{ kind: "size", bytes: data.bytes }],
      content,
    };
  }

  /** Bytes of the file's blocks in the image; undefined when the list is too long to be added up, text when it is damaged. */
  async #storedLength(data: FileData): Promise<number | undefined | string> {
    const { blockBytes, tables } = this.#image.superblock;
    const count = blockCount(data, blockBytes);
    if (count > this.#wordsLeft) return undefined;
    this.#wordsLeft -= count;
    try {
      let total = 0;
      for await (const word of sizeWords(this.#image.cursor(tables.inodes, data.sizes.block, data.sizes.offset), count)) total += storedBytes(word);
      return data.start + total > this.#image.end && total > 0 ? "The file's data reaches past the end of the image." : total;
    } catch (error) {
      if (!isReaError(error) || error.code !== "artifact_operation_failed") throw error;
      return "The list of the file's blocks cannot be read.";
    }
  }

  #enterOnce(name: EntryName, data: DirectoryData, reference: number): void {
    if (!this.#listed.has(reference)) {
      this.#enter(name.bytes, reference, data);
      return;
    }
    const above = this.#open.some((directory) => directory.reference === reference);
    const detail = above ? "The directory is one of those it stands in." : "The directory stands at another place as well; it was listed there.";
    const effect = "Programs that follow every directory list the same members again, without end where it holds itself.";
    this.#findings.add({ anomaly: above ? "link_cycle" : "overlap", offset: null, detail, effect }, name);
    this.#omit("Members of a directory that stands at several places are listed once.", "malformed");
  }

  #enter(path: Uint8Array, reference: number, data: DirectoryData): void {
    if (this.#open.length >= deepest || path.byteLength > longestPath) {
      this.#omit("Directories nested deeper than any system reaches were not listed.", "limit_depth");
      return;
    }
    this.#listed.add(reference);
    this.#open.push({ path, reference, names: this.#image.names(data) });
  }

  async #inode(block: number, offset: number, what: string): Promise<Inode | undefined> {
    try {
      return await this.#image.inode(block, offset);
    } catch (error) {
      this.#caught(error, `${what} cannot be read`);
      return undefined;
    }
  }

  #checkName({ name }: DirectoryEntry, whole: EntryName): void {
    if (!name.includes(slash)) return;
    const detail = "A name in a directory holds a slash, so that one member looks like a path of several.";
    this.#findings.add({ anomaly: "unsafe_name", offset: null, detail, effect: "Systems that look names up never reach the member; programs that join names do." }, whole);
  }

  #checkInode(listed: DirectoryEntry, inode: Inode, name: EntryName): void {
    const wrong = listed.type !== inode.type ? "type" : listed.number !== inode.number ? "number" : undefined;
    const effect = "Programs that believe the directory differ from those that believe the inode.";
    if (wrong !== undefined) this.#findings.add({ anomaly: "ambiguous_header", offset: null, detail: `The directory has another inode ${wrong} than the inode itself.`, effect }, name);
    const { idCount } = this.#image.superblock;
    if (inode.owner < idCount && inode.group < idCount) return;
    const detail = "The owner or group of the inode is not in the table of owners.";
    this.#findings.add({ anomaly: "ambiguous_header", offset: null, detail, effect: "Programs that look the owner up refuse the member." }, name);
  }

  async #finish(): Promise<void> {
    await reportBehind(this.#image, this.#input, this.#findings);
    if (!this.#whole) return;
    const { inodeCount } = this.#image.superblock;
    if (inodeCount !== this.#inodes) {
      const detail = `The image declares ${String(inodeCount)} inodes, its directories lead to ${String(this.#inodes)}.`;
      this.#findings.add({ anomaly: "entry_count_mismatch", offset: 4, detail, effect: "Members may be there that no directory shows." });
    }
    try {
      await this.#area.report(this.#findings);
    } catch (error) {
      this.#caught(error, "The table of fragments cannot be read");
    }
  }

  /** Notes damage; anything else is thrown on. */
  #caught(error: unknown, what: string): void {
    if (!isReaError(error) || error.code !== "artifact_operation_failed") throw error;
    this.#malformed(`${what}: ${error.message}`);
  }

  #malformed(scope: string): void {
    this.#omit(scope, "malformed");
  }

  #omit(scope: string, reason: "malformed" | "limit_depth"): void {
    this.#whole = false;
    this.#input.report.omission(omission(scope, reason, { count: 1 }));
  }
}

function joined(path: Uint8Array, name: Uint8Array): Uint8Array {
  return path.byteLength === 0 ? name : Buffer.concat([path, Buffer.of(slash), name]);
}

/** Blocks are numbers below 2^32 wherever they are valid, so that this is exact. */
function referenceOf(block: number, offset: number): number {
  return block * 65_536 + offset;
}

const kinds: { readonly [type: number]: EntryKind | undefined } = { 1: "directory", 2: "file", 3: "symlink" };

function kindOfType(type: number): EntryKind {
  return kinds[type] ?? "special";
}

function broken(name: EntryName, kind: EntryKind): Entry {
  const content = kind === "file" ? { reason: "malformed" as const, why: "The member's inode cannot be read." } : null;
  return { ...plain(name, kind), content, limitations: ["The member's inode cannot be read."] };
}

function plain(name: EntryName, kind: EntryKind): Entry {
  return {
    name,
    kind,
    declaredBytes: null,
    compressedBytes: null,
    location: null,
    encrypted: false,
    linkTarget: null,
    executable: null,
    checks: [],
    limitations: [],
    content: null,
  };
}
