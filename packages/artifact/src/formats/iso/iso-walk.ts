import { omission } from "@rea/core";
import { turn } from "../../codecs/turn.js";
import type { Entry, ReaderInput } from "../../format.js";
import { FindingReport } from "../../reading/finding-report.js";
import { PieceWindow } from "../../reading/piece-window.js";
import { readBootCatalog } from "./boot-catalog.js";
import { isoEntry } from "./iso-entry.js";
import { IsoTree, type IsoNode } from "./iso-tree.js";
import { pathTable, sameTables, tableName, type PathTableRow } from "./path-table.js";
import { SpaceMap } from "./space-map.js";
import { otherSession, reportUnclaimed } from "./unclaimed-space.js";
import { readSystemArea, systemAreaBytes, type SystemArea } from "./system-area.js";
import type { TreeContext } from "./tree-context.js";
import { TreeComparison, treeTitle } from "./tree-comparison.js";
import { reportBehindVolume } from "./volume-end.js";
import { firstDescriptor, readDescriptors, sectorBytes, type Descriptors, type VolumeTree } from "./volume-descriptors.js";

/** A path table of 65,535 directories holds no more; larger trees are not whole in it. */
const tableRows = 65_535;
const mostSessions = 64;

/** One pass over a volume: the tree that shows most, then what only the others have. */
export class IsoWalk {
  readonly #window: PieceWindow;
  readonly #input: ReaderInput;
  readonly #findings: FindingReport;
  readonly #space = new SpaceMap();
  readonly #context: TreeContext;
  readonly #comparison: TreeComparison;
  /** Path tables that several descriptors share are looked at once. */
  readonly #tables = new Set<number>();
  readonly #area: SystemArea;
  #fileCount = 0;
  #whole = true;

  constructor(window: PieceWindow, input: ReaderInput) {
    this.#window = window;
    this.#input = input;
    this.#findings = new FindingReport(input.report);
    this.#area = readSystemArea(window);
    this.#comparison = new TreeComparison(this.#findings);
    this.#context = { window, input, findings: this.#findings, space: this.#space, allowance: { bytes: window.size * 2 + 1024 * 1024 } };
  }

  async *entries(): AsyncGenerator<Entry, void, undefined> {
    try {
      const descriptors = readDescriptors(this.#window);
      this.#describe(descriptors);
      const [shown, ...others] = this.#trees(descriptors);
      if (shown === undefined) {
        this.#omit("No volume descriptor of the image can be read.");
        return;
      }
      for (const node of this.#nodes(shown)) {
        this.#comparison.show(node);
        await turn(this.#input.signal);
        yield this.#entry(node);
      }
      for (const other of others) yield* this.#compare(shown, other);
      if (!this.#isShared(descriptors)) yield* this.#otherSessions(shown);
      await this.#finish(descriptors, shown.tree);
    } finally {
      this.#findings.finish();
    }
  }

  /** The tree that is shown and those it is compared with: Rock Ridge says most, then Joliet. */
  #trees({ trees }: Descriptors): readonly IsoTree[] {
    const all = trees.map((tree) => new IsoTree(tree, this.#context));
    const rank = ({ hasRockRidge, tree }: IsoTree): number => (hasRockRidge ? 0 : { joliet: 1, enhanced: 2, primary: 3 }[tree.kind]);
    return all.sort((a, b) => rank(a) - rank(b));
  }

  *#nodes(tree: IsoTree): Generator<IsoNode, void, undefined> {
    yield* tree.nodes();
    yield* this.#comparePathTables(tree);
    this.#whole &&= tree.whole;
  }

  #entry(node: IsoNode, limitations: readonly string[] = []): Entry {
    for (const { start, length } of node.kind === "file" ? node.extents : []) this.#space.file(start, length, node.name);
    this.#fileCount += 1;
    return isoEntry(node, this.#window.source, { signal: this.#input.signal, limitations });
  }

  async *#compare(shown: IsoTree, other: IsoTree): AsyncGenerator<Entry, void, undefined> {
    // Descriptors that lead to the same root are copies of one another.
    if (other.tree.root.extent === shown.tree.root.extent && other.tree.kind === shown.tree.kind) return;
    const { kind } = other.tree;
    this.#comparison.begin();
    for (const node of this.#nodes(other)) {
      await turn(this.#input.signal);
      if (!this.#comparison.isMissing(node)) continue;
      this.#comparison.reportMissing(node, kind);
      this.#comparison.show(node);
      this.#comparison.isMissing(node);
      yield this.#entry(node, [`Only the ${treeTitle(kind)} name tree has this file.`]);
    }
    if (other.whole) this.#comparison.reportUnseen(kind);
  }

  *#comparePathTables(tree: IsoTree): Generator<IsoNode, void, undefined> {
    const tables = this.#pathTables(tree.tree);
    const [first] = tables;
    if (first === undefined) return;
    if (tables.some((table) => !sameTables(table, first))) {
      const effect = "Systems that go by one of them find other directories than those that go by another.";
      this.#findings.add({ anomaly: "tree_mismatch", offset: tree.tree.at, detail: `Path tables of the ${treeTitle(tree.tree.kind)} name tree differ.`, effect });
    }
    for (const [index, row] of first.entries()) {
      if (tree.directories.has(row.start)) continue;
      const name = tableName(first, index, tree.tree.kind);
      const detail = "Only the path table leads to this directory.";
      this.#findings.add({ anomaly: "orphan_local_entry", offset: row.start, detail, effect: "Programs that walk the directories do not show what is in it." }, name);
      yield* tree.hidden(name, row.start);
    }
    this.#compareCounts(tree, first);
  }

  #compareCounts(tree: IsoTree, rows: readonly PathTableRow[]): void {
    const known = new Set(rows.map(({ start }) => start));
    if (rows.length >= tableRows) return;
    for (const [start, name] of tree.directories) {
      if (known.has(start)) continue;
      const detail = `The path table of the ${treeTitle(tree.tree.kind)} name tree lacks this directory.`;
      this.#findings.add({ anomaly: "tree_mismatch", offset: start, detail, effect: "Systems that find directories by the path table do not reach it." }, name);
    }
  }

  /** The tables that can be read, the first little-endian one in front. */
  #pathTables(tree: VolumeTree): readonly (readonly PathTableRow[])[] {
    const { little, big, bytes } = tree.pathTables;
    if (bytes === 0) return [];
    const places = [...little.map((block) => ({ block, little: true })), ...big.map((block) => ({ block, little: false }))].filter(({ block }) => block !== 0);
    return places.flatMap((place) => {
      this.#space.structure(place.block * tree.blockBytes, bytes);
      const rows = pathTable(this.#window, tree, place);
      if (rows !== undefined) return [rows];
      if (!this.#tables.has(place.block)) this.#omit("A path table is damaged.");
      this.#tables.add(place.block);
      return [];
    });
  }

  #describe({ damaged, trees, terminated, end, bootCatalogs }: Descriptors, start = firstDescriptor * sectorBytes): void {
    this.#space.structure(start, end - start);
    for (const _ of damaged) this.#omit("A volume descriptor is damaged.");
    for (const { agrees, at } of trees) {
      if (agrees) continue;
      const detail = "A number of the volume descriptor is not the same in both byte orders.";
      this.#findings.add({ anomaly: "ambiguous_header", offset: at, detail, effect: "Readers of one byte order see another volume than those of the other." });
    }
    if (!terminated) {
      const detail = "The volume descriptors do not end with the terminator.";
      this.#findings.add({ anomaly: "missing_end_marker", offset: end, detail, effect: "Readers may take what follows for descriptors, or refuse the image." });
    }
    for (const block of bootCatalogs) this.#bootCatalog(block);
  }

  #bootCatalog(block: number): void {
    const catalog = readBootCatalog(this.#window, block);
    if (catalog === undefined) {
      this.#omit("The boot catalog lies outside the image.");
      return;
    }
    this.#space.structure(catalog.start, catalog.length);
    this.#input.report.part({ part: "El Torito boot catalog", offset: catalog.start, length: catalog.length });
    if (!catalog.valid) {
      const detail = "The sum or the key of the boot catalog's first entry does not hold.";
      this.#findings.add({ anomaly: "bad_checksum_header", offset: catalog.start, detail, effect: "Firmware that checks does not start from the image." });
    }
    for (const { start, length, platform } of catalog.images) {
      if (!this.#window.holds(start, length)) {
        this.#omit("A boot image lies outside the image.");
        continue;
      }
      this.#space.structure(start, length);
      this.#input.report.part({ part: `El Torito boot image for ${platform}`, offset: start, length });
    }
  }

  /** Sessions that were written before, or copies of this one's descriptors: their files are compared as well. */
  async *#otherSessions(shown: IsoTree): AsyncGenerator<Entry, void, undefined> {
    this.#claimPartitions(this.#area);
    for (let count = 0; count < mostSessions; count += 1) {
      const sector = await otherSession(this.#space.gaps(this.#window.size), this.#window, this.#input.signal);
      if (sector === undefined) return;
      const descriptors = readDescriptors(this.#window, sector);
      const start = sector * sectorBytes;
      this.#input.report.part({ part: "volume descriptors of another session", offset: start, length: descriptors.end - start });
      this.#describe(descriptors, start);
      for (const other of this.#trees(descriptors)) yield* this.#compare(shown, other);
    }
  }

  async #finish(descriptors: Descriptors, { blockBytes, spaceBlocks }: VolumeTree): Promise<void> {
    for (const part of this.#area.parts) this.#input.report.part(part);
    const end = spaceBlocks * blockBytes;
    await reportBehindVolume({ window: this.#window, end, partitions: this.#area.parts, input: this.#input, findings: this.#findings });
    this.#space.reportOverlaps(this.#findings);
    if (descriptors.hasUdf) this.#otherSystem("UDF");
    if (this.#area.hasHfs) this.#otherSystem("HFS or HFS+");
    // Structures of another file system would look like hidden data.
    if (this.#isShared(descriptors) || !this.#whole) return;
    const gaps = this.#space.gaps(Math.min(end, this.#window.size));
    await reportUnclaimed(gaps, { window: this.#window, input: this.#input, findings: this.#findings, fileCount: this.#fileCount });
  }

  /** Whether another file system shares the image. */
  #isShared({ hasUdf }: Descriptors): boolean {
    return hasUdf || this.#area.hasHfs;
  }

  #claimPartitions({ parts }: SystemArea): void {
    this.#space.structure(0, systemAreaBytes);
    // A partition that holds the volume itself claims nothing.
    for (const { offset, length } of parts) if (offset > firstDescriptor * sectorBytes) this.#space.structure(offset, length);
  }

  #otherSystem(name: string): void {
    const scope = `The image is a ${name} volume as well; names and data that only that one has were not looked at.`;
    this.#input.report.omission(omission(scope, "unsupported_format", { count: 1 }));
  }

  #omit(scope: string): void {
    this.#whole = false;
    this.#input.report.omission(omission(scope, "malformed", { count: 1 }));
  }
}
