import { setImmediate as turn } from "node:timers/promises";
import { isReaError, omission, throwIfAborted, type ByteSource } from "@rea/core";
import type { DeclaredCheck, Entry, EntryName, ReaderInput } from "../../format.js";
import { FindingReport } from "../../reading/finding-report.js";
import { directoryEntry, fileEntry, linkEntry, packedContent, packedRange } from "./asar-entry.js";
import { asarHeader, type AsarHeader } from "./asar-header.js";
import { asarTree, deepestDirectory, type AsarNode } from "./asar-tree.js";
import { companionContent } from "./companion.js";
import { integrityChecks, wholeNumber } from "./integrity.js";
import { JsonScanner } from "./json-scanner.js";
import { LinkTable } from "./link-cycles.js";
import { PackedExtents } from "./packed-extents.js";

/** Members of an ASAR archive in the header's order, a directory before what is in it. */
export async function* readAsar(source: ByteSource, input: ReaderInput): AsyncGenerator<Entry, void, undefined> {
  const header = asarHeader(source);
  if (header === undefined) {
    input.report.omission(omission("The archive ends before its header does.", "malformed"));
    return;
  }
  const walk = new AsarWalk(source, input, header);
  try {
    yield* walk.entries();
  } finally {
    walk.finish();
  }
}

const nodesATurn = 1024;
const namesKept = 1000;

class AsarWalk {
  readonly #source: ByteSource;
  readonly #input: ReaderInput;
  readonly #header: AsarHeader;
  readonly #findings: FindingReport;
  readonly #extents: PackedExtents;
  readonly #links = new LinkTable();
  /** Files without integrity, the first of them by name, and whether any has it. */
  readonly #bare: EntryName[] = [];
  #bareCount = 0;
  #withIntegrity = 0;
  /** Files whose integrity record names an algorithm that is not SHA256. */
  #foreign = 0;

  constructor(source: ByteSource, input: ReaderInput, header: AsarHeader) {
    this.#source = source;
    this.#input = input;
    this.#header = header;
    this.#findings = new FindingReport(input.report);
    this.#extents = new PackedExtents(header.dataOffset);
  }

  async *entries(): AsyncGenerator<Entry, void, undefined> {
    for (const finding of this.#header.findings) this.#findings.add(finding);
    if (this.#header.isCut) this.#omit("The archive ends before its header does.");
    let count = 0;
    for (const node of this.#nodes()) {
      throwIfAborted(this.#input.signal, "asar_header");
      yield this.#entry(node);
      count += 1;
      if (count % nodesATurn === 0) await turn();
    }
    this.#extents.report(this.#findings, this.#source.size);
    for (const name of this.#links.cycles()) this.#reportCycle(name);
    this.#reportBare();
    if (this.#foreign === 0) return;
    const scope = "Integrity records that name an algorithm other than SHA256 were not checked.";
    this.#input.report.omission(omission(scope, "unsupported_method", { count: this.#foreign }));
  }

  finish(): void {
    this.#findings.finish();
  }

  /** The header's nodes as far as it is JSON. */
  *#nodes(): Generator<AsarNode, void, undefined> {
    const scanner = new JsonScanner(this.#source, this.#header.jsonOffset, this.#header.jsonBytes);
    try {
      yield* asarTree(scanner, {
        tooDeep: () => {
          this.#omit(`Directories more than ${String(deepestDirectory)} levels deep, before offset ${String(scanner.position)} of the header, were passed over.`);
        },
        bothKinds: (name) => {
          const detail = "A node of the header is a directory and has a file's or a link's fields as well.";
          this.#findings.add({ anomaly: "prefix_conflict", offset: scanner.position, detail, effect: "Readers differ in whether it is a directory." }, name);
        },
      });
      if (!scanner.isOver()) this.#omit(`Something follows the header's JSON at offset ${String(scanner.position)}.`);
    } catch (error) {
      if (!isReaError(error) || error.code !== "artifact_operation_failed") throw error;
      this.#omit(`The header's JSON breaks off or is not JSON at offset ${String(scanner.position)}; members behind it are not known.`);
    }
  }

  #entry(node: AsarNode): Entry {
    if (node.slashed) {
      const detail = "A key of the header holds a slash, so that one node looks like a path of several.";
      this.#findings.add({ anomaly: "unsafe_name", offset: null, detail, effect: "Readers that follow the tree never reach the member; readers that join names do." }, node.name);
    }
    if (node.isDirectory) return directoryEntry(node);
    if (node.link?.kind === "string") {
      this.#links.add(node.name, node.link.value.text ?? "");
      return linkEntry(node, node.link.value.bytes);
    }
    return node.unpacked ? this.#unpacked(node) : this.#packed(node);
  }

  #unpacked(node: AsarNode): Entry {
    const bytes = wholeNumber(node.size);
    return fileEntry(node, { bytes, range: undefined, checks: this.#checks(node, bytes ?? 0), content: companionContent(node.name, this.#input) });
  }

  #packed(node: AsarNode): Entry {
    const range = packedRange(node, { size: this.#source.size, dataOffset: this.#header.dataOffset });
    if ("reason" in range) return fileEntry(node, { bytes: wholeNumber(node.size), range: undefined, checks: [], content: range });
    this.#extents.add(range.start, range.start + range.length, node.name);
    return fileEntry(node, { bytes: range.length, range, checks: this.#checks(node, range.length), content: packedContent(this.#source, range) });
  }

  #checks(node: AsarNode, bytes: number): readonly DeclaredCheck[] {
    if (node.integrity === undefined) {
      this.#bareCount += 1;
      if (this.#bare.length < namesKept) this.#bare.push(node.name);
      return [];
    }
    this.#withIntegrity += 1;
    const { checks, problems, foreignAlgorithm } = integrityChecks(node.integrity, bytes);
    for (const detail of problems) {
      this.#findings.add({ anomaly: "digest_mismatch", offset: null, detail, effect: "Electron refuses the file when it checks integrity; other readers do not look." }, node.name);
    }
    if (foreignAlgorithm) this.#foreign += 1;
    return checks;
  }

  #reportCycle(name: EntryName): void {
    const detail = "The link leads back to itself, over other links or directly.";
    this.#findings.add({ anomaly: "link_cycle", offset: null, detail, effect: "Readers that follow links without counting never end." }, name);
  }

  /** Archives without any integrity are old; one file without it among others with it is not. */
  #reportBare(): void {
    if (this.#withIntegrity === 0 || this.#bareCount === 0) return;
    const effect = "Changes to the file are noticed by nobody, although the archive looks protected.";
    for (const name of this.#bare) {
      this.#findings.add({ anomaly: "missing_integrity", offset: null, detail: "The file has no integrity record, others of the archive have one.", effect }, name);
    }
    const more = this.#bareCount - this.#bare.length;
    if (more > 0) this.#findings.add({ anomaly: "missing_integrity", offset: null, detail: `${String(more)} more files have no integrity record.`, effect });
  }

  #omit(scope: string): void {
    this.#input.report.omission(omission(scope, "malformed"));
  }
}
