import { omission, throwIfAborted } from "@rea/core";
import type { EntryKind, EntryName } from "../../format.js";
import { utf8Name } from "../../reading/entry-name.js";
import { recordFlags, readRecord, selfOrParent, type DirectoryRecord } from "./directory-record.js";
import { directoryMembers } from "./directory-members.js";
import type { Extent } from "./extent.js";
import { below, isoName } from "./iso-names.js";
import { noRockRidge, rockRidgeOf, rockRidgeSkip, type RockRidge } from "./rock-ridge.js";
import { systemUseFields } from "./system-use.js";
import type { TreeContext } from "./tree-context.js";
import { sectorBytes, type VolumeTree } from "./volume-descriptors.js";

const deepest = 1024;
const longestPath = 65_535;
const longestDirectory = 64 * 1024 * 1024;

/** One name of a tree. */
export interface IsoNode {
  readonly name: EntryName;
  readonly kind: EntryKind;
  /** The first of its records. */
  readonly record: DirectoryRecord;
  readonly extents: readonly Extent[];
  readonly bytes: number;
  readonly rock: RockRidge;
}

interface OpenDirectory {
  readonly name: EntryName;
  readonly start: number;
  readonly members: Iterator<readonly DirectoryRecord[]>;
}

const top: EntryName = { bytes: new Uint8Array(0), text: "" };

/** Walks the directories of one name tree, each once. */
export class IsoTree {
  readonly tree: VolumeTree;
  /** Directories by where they start, in bytes. */
  readonly directories = new Map<number, EntryName>();
  /** False once something of the tree could not be read. */
  whole = true;
  readonly #context: TreeContext;
  /** Bytes in front of every system use area; undefined without Rock Ridge. */
  readonly #skip: number | undefined;
  readonly #open: OpenDirectory[] = [];
  /** Directories that say they belong elsewhere, until a link leads to them. */
  readonly #relocated = new Map<number, IsoNode>();

  constructor(tree: VolumeTree, context: TreeContext) {
    this.tree = tree;
    this.#context = context;
    const self = this.#recordAt(this.#startOf(tree.root));
    this.#skip = tree.kind === "joliet" || self === undefined ? undefined : rockRidgeSkip(self);
  }

  get hasRockRidge(): boolean {
    return this.#skip !== undefined;
  }

  /** Everything below the root, a directory before what is in it. */
  *nodes(): Generator<IsoNode, void, undefined> {
    const { root } = this.tree;
    this.#enter(top, this.#startOf(root), root.bytes);
    yield* this.#walk();
    for (const [start, node] of this.#relocated) {
      if (this.directories.has(start)) continue;
      const detail = "The directory says it belongs elsewhere, and no record leads to it.";
      this.#context.findings.add({ anomaly: "orphan_local_entry", offset: node.record.at, detail, effect: "Programs that follow Rock Ridge do not show it; others do." }, node.name);
      yield node;
      this.#enter(node.name, start, node.bytes);
      yield* this.#walk();
    }
  }

  /** Everything below a directory that no other leads to. */
  *hidden(name: EntryName, start: number): Generator<IsoNode, void, undefined> {
    const record = this.#recordAt(start);
    if (record === undefined || selfOrParent(record) !== "self") {
      this.#omit("A directory that only the path table names cannot be read.", "malformed");
      return;
    }
    yield { name, kind: "directory", record, extents: [], bytes: record.bytes, rock: noRockRidge };
    this.#enter(name, start, record.bytes);
    yield* this.#walk();
  }

  *#walk(): Generator<IsoNode, void, undefined> {
    for (let last = this.#open.at(-1); last !== undefined; last = this.#open.at(-1)) {
      throwIfAborted(this.#context.input.signal, "read_iso");
      const step = last.members.next();
      if (step.done === true) {
        this.#open.pop();
        continue;
      }
      const node = this.#node(last, step.value);
      if (node === undefined) continue;
      yield node;
      if (node.kind === "directory") this.#enterNode(node);
    }
  }

  #node(directory: OpenDirectory, records: readonly DirectoryRecord[]): IsoNode | undefined {
    const [record] = records;
    if (record === undefined) return undefined;
    for (const one of records) this.#checkNumbers(one);
    const rock = this.#rockRidge(record);
    const which = selfOrParent(record);
    if (which !== undefined) {
      if (which === "self" && this.#startOf(record) !== directory.start) this.#wrongSelf(record, directory.name);
      return undefined;
    }
    const extents = records.map((one) => ({ start: this.#startOf(one), length: one.bytes }));
    const name = below(directory.name, rock.name === undefined ? isoName(record.identifier, this.tree.kind) : utf8Name(rock.name));
    const node = { name, kind: kindOf(record, rock), record, extents, bytes: extents.reduce((total, { length }) => total + length, 0), rock };
    this.#checkNode(node);
    if (!rock.relocated || node.kind !== "directory") return node;
    this.#relocated.set(this.#startOf(record), node);
    return undefined;
  }

  #enterNode({ name, record, rock, bytes }: IsoNode): void {
    if (rock.child === undefined) {
      this.#enterOnce(name, this.#startOf(record), bytes);
      return;
    }
    const start = rock.child * this.tree.blockBytes;
    const self = this.#recordAt(start);
    if (self === undefined || selfOrParent(self) !== "self") this.#omit("A directory that stands elsewhere cannot be read.", "malformed");
    else this.#enterOnce(name, start, self.bytes);
  }

  #enterOnce(name: EntryName, start: number, bytes: number): void {
    if (!this.directories.has(start)) {
      this.#enter(name, start, bytes);
      return;
    }
    const above = this.#open.some((directory) => directory.start === start);
    const detail = above ? "The directory is one of those it stands in." : "The directory stands at another place as well; it was listed there.";
    const effect = "Programs that follow every directory list the same members again, without end where it holds itself.";
    this.#context.findings.add({ anomaly: above ? "link_cycle" : "overlap", offset: start, detail, effect }, name);
    this.#omit("Members of a directory that stands at several places are listed once.", "malformed");
  }

  #enter(name: EntryName, start: number, bytes: number): void {
    const { window, allowance, space } = this.#context;
    if (this.#open.length >= deepest || name.bytes.byteLength > longestPath) {
      this.#omit("Directories nested deeper than any system reaches were not listed.", "limit_depth");
      return;
    }
    const length = Math.max(0, Math.min(bytes, window.size - start, longestDirectory, allowance.bytes));
    if (length < bytes) this.#omit(`A directory at byte ${String(start)} reaches past the end of the image, or is larger than directories are.`, "malformed");
    allowance.bytes -= length;
    space.structure(start, length);
    this.directories.set(start, name);
    this.#open.push({ name, start, members: directoryMembers({ start, bytes: length }, this.#context, () => (this.whole = false)) });
  }

  #rockRidge(record: DirectoryRecord): RockRidge {
    if (this.#skip === undefined) return noRockRidge;
    const { window, findings, space } = this.#context;
    // The root's own record has the mark itself in front.
    const isRoot = record.at === this.#startOf(this.tree.root);
    const { fields, areas, problem } = systemUseFields(record.systemUse, isRoot ? 0 : this.#skip, { window, blockBytes: this.tree.blockBytes });
    for (const { start, length } of areas) space.structure(start, length);
    if (problem === "endless") {
      const detail = "The continuation areas of a record lead on and on.";
      findings.add({ anomaly: "link_cycle", offset: record.at, detail, effect: "Programs that follow them without counting never end." });
    }
    if (problem !== undefined) this.#omit("A record's continuation area cannot be read to its end.", "malformed");
    return rockRidgeOf(fields);
  }

  #checkNumbers({ agrees, at }: DirectoryRecord): void {
    if (agrees) return;
    const detail = "A record's position or size is not the same in both byte orders.";
    this.#context.findings.add({ anomaly: "ambiguous_header", offset: at, detail, effect: "Readers of one byte order see other data than those of the other." });
  }

  #checkNode({ name, record, rock }: IsoNode): void {
    const isDirectory = (record.flags & recordFlags.directory) !== 0;
    const said = rock.mode === undefined ? undefined : (rock.mode >> 12) & 0o17;
    const contradicts = said !== undefined && rock.child === undefined && (said === 0o04) !== isDirectory;
    if (!rock.agrees || contradicts) {
      const detail = contradicts ? "Rock Ridge and the record differ in whether this is a directory." : "A number of Rock Ridge is not the same in both byte orders.";
      this.#context.findings.add({ anomaly: "ambiguous_header", offset: record.at, detail, effect: "Readers differ in what the member is." }, name);
    }
  }

  #wrongSelf({ at }: DirectoryRecord, name: EntryName): void {
    const detail = "The directory's own record leads to another directory.";
    this.#context.findings.add({ anomaly: "ambiguous_header", offset: at, detail, effect: "Readers that go by it list other members." }, name);
  }

  #recordAt(start: number): DirectoryRecord | undefined {
    const { window } = this.#context;
    if (!window.holds(start, 34)) return undefined;
    return readRecord(Buffer.from(window.bytes(start, Math.min(sectorBytes, window.size - start))), start);
  }

  #startOf({ extent, attributeBlocks }: DirectoryRecord): number {
    return (extent + attributeBlocks) * this.tree.blockBytes;
  }

  #omit(scope: string, reason: "malformed" | "limit_depth"): void {
    this.whole = false;
    this.#context.input.report.omission(omission(scope, reason, { count: 1 }));
  }
}

const specials: ReadonlySet<number> = new Set([0o01, 0o02, 0o06, 0o14]);

function kindOf({ flags }: DirectoryRecord, { target, child, mode }: RockRidge): EntryKind {
  if ((flags & recordFlags.directory) !== 0 || child !== undefined) return "directory";
  if (target !== undefined) return "symlink";
  return mode !== undefined && specials.has((mode >> 12) & 0o17) ? "special" : "file";
}
