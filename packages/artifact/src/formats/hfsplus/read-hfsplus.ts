import { isReaError, throwIfAborted, type ByteSource } from "@rea/core";
import { brokenData } from "../../codecs/broken-data.js";
import type { Entry, EntryName, ReaderInput } from "../../format.js";
import { Extents } from "../../reading/extents.js";
import { FindingReport } from "../../reading/finding-report.js";
import { malformed } from "../sequential/damage.js";
import { Attributes } from "./attributes.js";
import { BTree } from "./b-tree.js";
import { catalogItem, rootFolderId, type CatalogFile, type CatalogItem } from "./catalog.js";
import { fileEntries, plainEntry, type FileReading } from "./file-entry.js";
import { Folders, mostKept, shownPath, type Path } from "./folders.js";
import { attributesFileId, catalogFileId, extentsFileId, Forks } from "./forks.js";
import { pendingJournal } from "./journal.js";
import { hfsVolume, type ForkData, type HfsVolume } from "./volume-header.js";

/** Reads an HFS+ volume: every folder and file of its catalog, in the catalog's order. */
export async function* readHfsPlus(source: ByteSource, input: ReaderInput): AsyncGenerator<Entry, void, undefined> {
  const volume = hfsVolume(source);
  if (volume === undefined) {
    malformed(input, 1024, "The volume header makes no sense, or the embedded volume lies outside the file.");
    return;
  }
  const pending = pendingJournal(volume);
  if (pending !== undefined) input.report.omission(pending);
  yield* new VolumeWalk(volume, input).entries();
}

const privateFolder = "\0\0\0\0HFS+ Private Data";
const mostClaims = 4_000_000;
const privateFolderOfFolders = ".HFS+ Private Directory Data\r";

class VolumeWalk {
  readonly #volume: HfsVolume;
  readonly #input: ReaderInput;
  readonly #findings: FindingReport;
  readonly #folders = new Folders();
  readonly #claims = new Extents();
  readonly #reading: FileReading;
  /** Contents of hard links, by the number that the links name. */
  readonly #inodes = new Map<number, CatalogFile>();
  /** First name of each of them. */
  readonly #linked = new Map<number, EntryName>();
  #privateId = -1;
  #files = 0;
  #claimed = 0;

  constructor(volume: HfsVolume, input: ReaderInput) {
    this.#volume = volume;
    this.#input = input;
    this.#findings = new FindingReport(input.report);
    this.#reading = { volume, forks: new Forks(volume), attributes: new Attributes(), input };
  }

  async *entries(): AsyncGenerator<Entry, void, undefined> {
    const { extents, attributes, catalog } = this.#volume;
    this.#readTree(extentsFileId, extents, "The tree of overflowing extents", (tree) => this.#reading.forks.readOverflow(tree, this.#input.signal));
    if (attributes.logicalBytes > 0) {
      this.#readTree(attributesFileId, attributes, "The tree of attributes", (tree, file) => this.#reading.attributes.read(tree, file, this.#input.signal));
    }
    const tree = this.#readTree(catalogFileId, catalog, "The catalog", (opened) => this.#index(opened));
    if (tree === undefined) return;
    for (const item of this.#items(tree)) {
      throwIfAborted(this.#input.signal, "read_hfsplus");
      yield* this.#entriesOf(item);
    }
    yield* this.#unlinked();
    this.#reportCounts();
    this.#reportOverlaps();
    this.#findings.finish();
  }

  /** Opens a tree and takes it; damage is told, and what was taken before it stays. Undefined when there is no tree at all. */
  #readTree(id: number, fork: ForkData, what: string, take: (tree: BTree, file: ByteSource) => void): BTree | undefined {
    let tree: BTree | undefined;
    try {
      const opened = this.#reading.forks.open(id, "data", fork);
      if ("problem" in opened) {
        malformed(this.#input, this.#volume.offset + 1024, `${what} cannot be read: ${opened.problem}`);
        return undefined;
      }
      if (opened.source.size === 0 && id !== catalogFileId) return undefined;
      for (const { start, count } of opened.extents) this.#claim(start, count);
      tree = new BTree(opened.source);
      take(tree, opened.source);
    } catch (error) {
      if (!isReaError(error) || error.code !== "artifact_operation_failed") throw error;
      malformed(this.#input, this.#volume.offset + 1024, `${what} is damaged: ${error.message}`);
    }
    return tree;
  }

  /** First pass: folders, from which all paths follow, and the contents of hard links. */
  #index(tree: BTree): void {
    let records = 0;
    for (const record of tree.records(this.#input.signal)) {
      records += 1;
      const item = catalogItem(record);
      if (item?.kind === "folder" && item.id !== rootFolderId) {
        this.#folders.add(item.id, item);
        if (item.parentId === rootFolderId && item.name === privateFolder) this.#privateId = item.id;
      } else if (item?.kind === "file") {
        this.#files += 1;
        const number = item.parentId === this.#privateId ? /^iNode(\d{1,10})$/.exec(item.name)?.[1] : undefined;
        if (number !== undefined) this.#keep(Number(number), item);
      }
    }
    if (records !== tree.declaredRecords) this.#count("The catalog's tree", "records", tree.declaredRecords, records);
  }

  #keep(number: number, inode: CatalogFile): void {
    if (this.#inodes.size >= mostKept) throw brokenData(`The volume has more than ${String(mostKept)} files with several names.`);
    this.#inodes.set(number, inode);
  }

  /** Second pass; ends quietly where the first one ended. */
  *#items(tree: BTree): Generator<CatalogItem, void, undefined> {
    try {
      for (const record of tree.records(this.#input.signal)) {
        const item = catalogItem(record);
        if (item !== undefined) yield item;
      }
    } catch (error) {
      if (!isReaError(error) || error.code !== "artifact_operation_failed") throw error;
    }
  }

  async *#entriesOf(item: CatalogItem): AsyncGenerator<Entry, void, undefined> {
    if (item.id === rootFolderId || item.id === this.#privateId || item.parentId === this.#privateId) return;
    const name = this.#nameOf(item);
    if (name === undefined) return;
    if (item.kind === "folder") {
      yield await Promise.resolve(plainEntry(name, "directory", null));
    } else if (item.linkedInode !== undefined) {
      yield* this.#linkEntries(name, item.linkedInode);
    } else if (item.linkedFolder !== undefined) {
      yield plainEntry(name, "hardlink", shownPath([privateFolderOfFolders, `dir_${String(item.linkedFolder)}`]).bytes);
    } else yield* this.#fileEntries(name, item);
  }

  /** The first name of an inode has its content, the others are links to that. */
  *#linkEntries(name: EntryName, inode: number): Generator<Entry, void, undefined> {
    const first = this.#linked.get(inode);
    const file = this.#inodes.get(inode);
    if (first !== undefined) yield plainEntry(name, "hardlink", first.bytes);
    else if (file === undefined) yield { ...plainEntry(name, "file", null), content: { reason: "malformed", why: "The file is a hard link to an inode that does not exist." } };
    else {
      this.#linked.set(inode, name);
      yield* this.#fileEntries(name, file);
    }
  }

  *#fileEntries(name: EntryName, file: CatalogFile): Generator<Entry, void, undefined> {
    for (const [kind, fork] of [["data", file.data], ["resource", file.resource]] as const) {
      const opened = this.#reading.forks.open(file.id, kind, fork);
      if ("source" in opened) for (const { start, count } of opened.extents) this.#claim(start, count);
    }
    yield* fileEntries(name, file, this.#reading);
  }

  /** Inodes that no link names: files that were deleted while they were open. */
  async *#unlinked(): AsyncGenerator<Entry, void, undefined> {
    for (const [number, file] of this.#inodes) {
      if (this.#linked.has(number)) continue;
      for (const entry of this.#fileEntries(shownPath(["HFS+ Private Data", file.name]), file)) {
        yield await Promise.resolve({ ...entry, limitations: [...entry.limitations, "No name in the volume leads to this file."] });
      }
    }
  }

  /** Undefined when no path leads to the item, which is told. */
  #nameOf({ parentId, name }: CatalogItem): EntryName | undefined {
    const path: Path = this.#folders.pathOf(parentId, name);
    if (path === "loop") {
      this.#findings.add({
        anomaly: "link_cycle",
        offset: null,
        detail: "A folder lies in itself, or is nested deeper than any path can be.",
        effect: "Programs that follow folders down never reach it, programs that follow them up never end.",
      });
      return undefined;
    }
    if (path !== "orphan") return shownPath(path.segments);
    return shownPath([`folder ${String(parentId)} (missing)`, name]);
  }

  /** Blocks of a fork; overlaps are looked for among the first millions. */
  #claim(start: number, count: number): void {
    this.#claimed += 1;
    if (this.#claimed > mostClaims) return;
    this.#claims.add(start, start + count, 0);
  }

  #reportCounts(): void {
    const { fileCount, folderCount } = this.#volume;
    // Hard links are files of the catalog and their inodes are as well.
    if (fileCount !== this.#files) this.#count("The volume header", "files", fileCount, this.#files);
    if (folderCount !== this.#folders.count) this.#count("The volume header", "folders", folderCount, this.#folders.count);
  }

  #count(what: string, of: string, declared: number, found: number): void {
    this.#findings.add({
      anomaly: "entry_count_mismatch",
      offset: this.#volume.offset + 1024,
      detail: `${what} declares ${String(declared)} ${of}, ${String(found)} were found.`,
      effect: "Some may be hidden from what was read, or the volume was not closed.",
    });
  }

  #reportOverlaps(): void {
    let end = 0;
    for (const extent of this.#claims.sorted()) {
      if (extent.start < end) {
        this.#findings.add({
          anomaly: "overlap",
          offset: this.#volume.offset + extent.start * this.#volume.blockBytes,
          detail: `${String(Math.min(end, extent.end) - extent.start)} blocks belong to two forks.`,
          effect: "What is written to the one changes the other.",
        });
      }
      end = Math.max(end, extent.end);
    }
  }
}
