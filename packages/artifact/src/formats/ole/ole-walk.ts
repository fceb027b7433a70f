import { setImmediate as turn } from "node:timers/promises";
import { omission, throwIfAborted, type ByteSource } from "@rea/core";
import type { Entry, EntryName, ReaderInput } from "../../format.js";
import type { FindingReport } from "../../reading/finding-report.js";
import { ChainSource } from "./chain-source.js";
import { Directory, type DirectoryEntry } from "./directory.js";
import { DirectoryTree, type TreeEntry } from "./directory-tree.js";
import { reportLeftovers } from "./leftovers.js";
import { isInstaller, unpackedName } from "./msi-names.js";
import type { OleHeader } from "./ole-header.js";
import { owner, SectorTable } from "./sector-table.js";
import { SmallSectors } from "./small-sectors.js";
import { StreamOpener } from "./stream-opener.js";

export interface OleWalkOptions {
  readonly source: ByteSource;
  readonly header: OleHeader;
  readonly input: ReaderInput;
  readonly findings: FindingReport;
}

const entriesATurn = 1024;
const strict = new TextDecoder("utf-16le", { fatal: true, ignoreBOM: true });

/** The storages and streams of one compound file. */
export class OleWalk {
  readonly #options: OleWalkOptions;
  readonly #table: SectorTable;
  /** Names are those of an installer, packed two letters to a character. */
  #packsNames = false;
  #unreached = 0;

  constructor(options: OleWalkOptions) {
    this.#options = options;
    this.#table = new SectorTable(options.source, options.header, options.input.signal);
  }

  async *entries(): AsyncGenerator<Entry, void, undefined> {
    const { header, findings, input } = this.#options;
    this.#tellOfTable();
    const directory = this.#directory();
    if (directory.count === 0) {
      input.report.omission(omission("The compound file's directory is missing.", "malformed"));
      return;
    }
    const root = directory.entry(0);
    this.#packsNames = isInstaller(root.classId);
    const small = new SmallSectors(this.#table, header, root);
    const opener = new StreamOpener({ table: this.#table, small, findings, miniCutoff: header.miniCutoff });
    const tree = new DirectoryTree(directory, this.#treeNotes());
    let count = 0;
    for (const found of tree.entries()) {
      throwIfAborted(input.signal, "ole_directory");
      yield this.#entry(found, opener);
      count += 1;
      if (count % entriesATurn === 0) await turn();
    }
    if (tree.tooDeep > 0) input.report.omission(omission("Storages nested deeper than 256 levels were not entered.", "limit_depth", { count: tree.tooDeep }));
    await reportLeftovers(this.#table, { findings, input });
  }

  #tellOfTable(): void {
    const { header, findings, input } = this.#options;
    for (const problem of new Set(this.#table.problems)) input.report.omission(omission(problem, "malformed"));
    if (this.#table.fatSectors !== header.fatSectors) {
      const detail = `The header counts ${String(header.fatSectors)} sectors of the allocation table, its lists name ${String(this.#table.fatSectors)}.`;
      findings.add({ anomaly: "entry_count_mismatch", offset: 44, detail, effect: "Readers that believe the count see another table." });
    }
  }

  #directory(): Directory {
    const { header, input } = this.#options;
    const { sectors, broken } = this.#table.chain(header.directoryStart, Number.POSITIVE_INFINITY, owner.directory);
    if (broken !== undefined) input.report.omission(omission("The chain of the directory's sectors does not end as it should; entries behind that are not known.", "malformed"));
    this.#compareCount(sectors.length);
    const whole = sectors.filter((sector) => this.#table.offset(sector) + header.sectorBytes <= this.#options.source.size);
    if (whole.length < sectors.length) input.report.omission(omission("The directory is cut short.", "malformed"));
    const pieces = { pieceBytes: header.sectorBytes, numbers: whole, offset: (sector: number) => this.#table.offset(sector) };
    return new Directory(new ChainSource(this.#options.source, pieces, whole.length * header.sectorBytes), header.major);
  }

  #compareCount(found: number): void {
    const declared = this.#options.header.directorySectors;
    if (declared === undefined || declared === found) return;
    const detail = `The header counts ${String(declared)} sectors of the directory, its chain has ${String(found)}.`;
    this.#options.findings.add({ anomaly: "entry_count_mismatch", offset: 40, detail, effect: "Some readers refuse the file, others follow the chain." });
  }

  #treeNotes(): ConstructorParameters<typeof DirectoryTree>[1] {
    const { findings } = this.#options;
    return {
      again: (entry) => {
        findings.add({ anomaly: "link_cycle", offset: null, detail: "More than one place of the directory leads to this entry.", effect: "Readers show it twice, or never end." }, this.#name(entry, []));
      },
      outside: () => {
        const scope = "Directory entries that are referred to and do not exist.";
        this.#options.input.report.omission(omission(scope, "malformed", { count: 1 }));
      },
      unsorted: (storage) => {
        const detail = "The members of a storage are not in the order of names.";
        findings.add({ anomaly: "ambiguous_header", offset: null, detail, effect: "Readers that search for a name miss members, readers that walk find them." }, this.#name(storage, []));
      },
    };
  }

  #entry({ entry, parents, reached }: TreeEntry, opener: StreamOpener): Entry {
    const name = this.#name(entry, parents);
    if (!reached) this.#tellOfUnreached(name);
    const isStream = entry.type === "stream";
    const limitations = reached ? [] : ["No storage of the file leads to this entry of the directory."];
    const base = {
      name,
      encrypted: false,
      linkTarget: null,
      executable: null,
      compressedBytes: null,
    };
    if (!isStream) {
      const kind = entry.type === "unknown" ? "special" : "directory";
      return { ...base, kind, declaredBytes: null, location: null, checks: [], limitations, content: null };
    }
    const { content, location } = opener.open(entry, name);
    return {
      ...base,
      kind: "file",
      declaredBytes: Number.isFinite(entry.bytes) ? entry.bytes : null,
      location,
      checks: [{ kind: "size", bytes: entry.bytes }],
      limitations,
      content,
    };
  }

  #tellOfUnreached(name: EntryName): void {
    this.#unreached += 1;
    const detail = "The directory has an entry that no storage leads to.";
    this.#options.findings.add({ anomaly: "orphan_local_entry", offset: null, detail, effect: "Readers that walk the storages do not see it; it was removed, or hidden." }, name);
  }

  /** The path of an entry, its names unpacked where it is an installer's. */
  #name(entry: DirectoryEntry, parents: readonly DirectoryEntry[]): EntryName {
    const bytes = Buffer.concat([...parents, entry].flatMap(({ name }, index) => (index === 0 ? [name] : [Buffer.from("/\0", "latin1"), name])));
    const texts = [...parents, entry].map(({ name }) => decoded(name));
    if (texts.some((text) => text === undefined)) return { bytes, text: undefined };
    const stored = texts.join("/");
    const text = this.#packsNames ? texts.map((one) => unpackedName(one ?? "") ?? one).join("/") : stored;
    return text === stored ? { bytes, text } : { bytes, text, stored };
  }
}

function decoded(name: Buffer): string | undefined {
  try {
    return strict.decode(name);
  } catch {
    return undefined;
  }
}
