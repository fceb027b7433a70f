import {
  bundleWholeSchema,
  canonicalJson,
  checkUnknownGraph,
  evidenceFacts,
  evidenceRefusal,
  evidenceSchema,
  ReaError,
  sortedSet,
  type BundleSource,
  type BundleWhole,
  type Evidence,
  type EvidenceFacts,
  type RetainedWhole,
  type UnknownRevision,
} from "@rea/core";
import { closedUnknowns } from "./closed-unknowns.js";
import { SpillStore } from "./spill-store.js";
import { UnknownHistories } from "./unknown-histories.js";

export interface LedgerLimits {
  /** Records and unknown revisions together. */
  readonly records: number;
  /** Canonical bytes of everything retained. */
  readonly bytes: number;
}

export interface LedgerOptions {
  readonly limits: LedgerLimits;
  /** Canonical bytes kept in memory; the rest spills to a file. */
  readonly memoryBytes: number;
  /** Where the spill file is created. */
  readonly directory: string;
}

/** Contract 01 §5. */
export const standardLimits: LedgerLimits = { records: 100_000, bytes: 2 * 1024 ** 3 };
export const standardMemoryBytes = 64 * 1024 ** 2;

/** What a session has retained. Reading returns detached copies; adding is idempotent by id. */
export class LedgerStore {
  readonly #options: LedgerOptions;
  readonly #records: SpillStore;
  readonly #wholes: SpillStore;
  readonly #unknowns = new UnknownHistories();
  /** Ids of records that this session produced; the others came in. */
  readonly #produced = new Set<string>();

  constructor(options: LedgerOptions) {
    this.#options = options;
    // Records and wholes share the memory bound; wholes are seldom read, so they get the smaller part.
    const share = options.memoryBytes / 4;
    this.#records = new SpillStore({ memoryBytes: options.memoryBytes - share, directory: options.directory });
    this.#wholes = new SpillStore({ memoryBytes: share, directory: options.directory });
  }

  get limits(): LedgerLimits {
    return this.#options.limits;
  }

  get recordCount(): number {
    return this.#records.size;
  }

  get unknownCount(): number {
    return this.#unknowns.count;
  }

  get bytes(): number {
    return this.#records.bytes + this.#wholes.bytes + this.#unknowns.bytes;
  }

  has(evidenceId: string): boolean {
    return this.#records.has(evidenceId);
  }

  /** A detached copy of a record. */
  get(evidenceId: string): Evidence | undefined {
    const text = this.#records.get(evidenceId);
    return text === undefined ? undefined : evidenceSchema.parse(JSON.parse(text));
  }

  /**
   * Adds a record, or a record and the unknown revision it reports, both or neither. Throws `truncated` at a bound, and
   * `revision_conflict` when another revision has taken the number.
   */
  add(record: Evidence, revision?: UnknownRevision): void {
    if (revision !== undefined) this.#unknowns.requireNext(revision);
    const text = canonicalJson(record);
    const newRecord = this.#records.has(record.evidence_id) ? 0 : 1;
    const newRevision = revision === undefined || this.#unknowns.has(revision) ? 0 : 1;
    const revisionBytes = newRevision === 0 ? 0 : Buffer.byteLength(canonicalJson(revision));
    this.#requireRoom(newRecord + newRevision, newRecord * Buffer.byteLength(text) + revisionBytes);
    this.#records.put(record.evidence_id, text);
    this.#produced.add(record.evidence_id);
    this.#unknowns.reported(record);
    if (revision !== undefined) this.#unknowns.put(revision);
  }

  /** Whether this session made the record itself. */
  produced(evidenceId: string): boolean {
    return this.#produced.has(evidenceId);
  }

  /** Latest revisions of all unknowns, by id. */
  latestUnknowns(): readonly UnknownRevision[] {
    return this.#unknowns.latest();
  }

  latestUnknown(unknownId: string): UnknownRevision | undefined {
    return this.#unknowns.latestOf(unknownId);
  }

  /** The record that reported a revision. */
  mutationOf(revision: UnknownRevision): string | undefined {
    return this.#unknowns.mutationOf(revision);
  }

  /** Throws `evidence_integrity_mismatch` (`unknown_graph`) when the histories with this revision break a rule. */
  checkUnknown(revision: UnknownRevision): void {
    checkUnknownGraph([...this.#unknowns.all(), revision], (id) => this.#factsOf(id));
  }

  /** Adds a whole that records commit to. Throws `truncated` at a bound. */
  addWhole(whole: BundleWhole): void {
    if (this.#wholes.has(whole.sha256)) return;
    const text = JSON.stringify(whole);
    this.#requireRoom(0, Buffer.byteLength(text));
    this.#wholes.put(whole.sha256, text);
  }

  /** Keeps what an operation of this session produced; its digest was computed from it. Throws `truncated` at a bound. */
  retain({ sha256, kind, bytes, content }: RetainedWhole): void {
    if (this.#wholes.has(sha256)) return;
    const written = content instanceof Uint8Array ? Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString("utf8") : JSON.stringify(content);
    const text = `{"bytes":${String(bytes)},"content":${written},"kind":"${kind}","sha256":"${sha256}"}`;
    // What is around a text of bytes is ASCII, so that a large one need not be looked through again.
    this.#requireRoom(0, content instanceof Uint8Array ? content.byteLength + text.length - written.length : Buffer.byteLength(text));
    this.#wholes.put(sha256, text);
  }

  /** A detached copy of a whole. */
  whole(sha256: string): BundleWhole | undefined {
    const text = this.#wholes.get(sha256);
    return text === undefined ? undefined : parseWhole(text);
  }

  /** The JSON text of a whole as a bundle has it: `{bytes, content, kind, sha256}`. */
  wholeText(sha256: string): string | undefined {
    return this.#wholes.get(sha256);
  }

  /** Adds revisions whose graph was checked. */
  addUnknowns(revisions: readonly UnknownRevision[]): void {
    this.#requireRoom(revisions.length, 0);
    for (const revision of revisions) this.#unknowns.put(revision);
  }

  /**
   * Takes over everything of another store, all of it or nothing. Throws `truncated` at a bound and
   * `evidence_integrity_mismatch` (`unknown_graph`) when both know different histories of an unknown.
   */
  merge(other: LedgerStore): { readonly imported: number; readonly unknownsAdded: number } {
    const records = [...other.#records.keys()].filter((id) => !this.#records.has(id));
    const wholes = [...other.#wholes.keys()].filter((sha256) => !this.#wholes.has(sha256));
    const unknowns = other.#unknowns.all().filter((revision) => !this.#unknowns.has(revision));
    const unknownBytes = unknowns.reduce((sum, revision) => sum + Buffer.byteLength(canonicalJson(revision)), 0);
    const recordBytes = records.reduce((sum, id) => sum + other.#records.bytesOf(id), 0);
    const wholeBytes = wholes.reduce((sum, sha256) => sum + other.#wholes.bytesOf(sha256), 0);
    this.#requireRoom(records.length + unknowns.length, recordBytes + wholeBytes + unknownBytes);
    this.#checkHistories(other, unknowns);
    for (const id of records) this.#records.put(id, other.#records.get(id) ?? "");
    for (const sha256 of wholes) this.#wholes.put(sha256, other.#wholes.get(sha256) ?? "");
    for (const revision of unknowns) this.#unknowns.put(revision);
    this.#unknowns.adoptMutations(other.#unknowns);
    return { imported: records.length, unknownsAdded: unknowns.length };
  }

  /** Sorted by id. */
  *records(): Generator<Evidence> {
    for (const id of sortedSet(this.#records.keys())) {
      const record = this.get(id);
      if (record !== undefined) yield record;
    }
  }

  /** What a bundle is written from; independent of the order in which things were added. */
  bundleSource(options: { readonly wholes: boolean }): BundleSource {
    const recordsOf = (): Generator<Evidence> => this.records();
    const wholesOf = (): Generator<BundleWhole> => this.#wholeItems();
    const unknowns = this.#unknowns.all();
    const withWholes = options.wholes && this.#wholes.bytes > 0;
    return {
      records: { [Symbol.iterator]: recordsOf },
      unknowns,
      ...(withWholes ? { wholes: { [Symbol.iterator]: wholesOf } } : {}),
    };
  }

  /** Bundle source of the records about one subject, with the histories of unknowns that refer to nothing else. */
  targetSource(sha256: string | null): BundleSource {
    const ids = new Set<string>();
    for (const record of this.records()) if (record.subject?.digest.sha256 === sha256) ids.add(record.evidence_id);
    const kept = closedUnknowns(this.#unknowns.all(), ids);
    const recordsOf = (): Iterator<Evidence> => this.#selected(ids);
    return { records: { [Symbol.iterator]: recordsOf }, unknowns: kept };
  }

  clear(): void {
    this.#records.clear();
    this.#wholes.clear();
    this.#unknowns.clear();
    this.#produced.clear();
  }

  *#selected(ids: ReadonlySet<string>): Generator<Evidence> {
    for (const record of this.records()) if (ids.has(record.evidence_id)) yield record;
  }

  *#wholeItems(): Generator<BundleWhole> {
    for (const sha256 of sortedSet(this.#wholes.keys())) {
      const text = this.#wholes.get(sha256);
      if (text !== undefined) yield parseWhole(text);
    }
  }

  #checkHistories(other: LedgerStore, added: readonly UnknownRevision[]): void {
    for (const revision of other.#unknowns.all()) {
      const own = this.#unknowns.same(revision);
      if (own === undefined || own.revision_digest === revision.revision_digest) continue;
      throw evidenceRefusal("unknown_graph", "The bundle holds another history of an unknown of this session.", {
        constraint: "same_history",
        actual: { unknown_id: revision.unknown_id, revision: revision.revision },
      });
    }
    if (added.length === 0) return;
    checkUnknownGraph([...this.#unknowns.all(), ...added], (id) => this.#factsOf(id) ?? other.#factsOf(id));
  }

  #factsOf(id: string): EvidenceFacts | undefined {
    const record = this.get(id);
    return record === undefined ? undefined : evidenceFacts(record);
  }

  #requireRoom(records: number, bytes: number): void {
    const { limits } = this.#options;
    if (records > 0 && this.recordCount + this.unknownCount + records > limits.records) {
      throw ledgerFull("records", limits.records);
    }
    if (bytes > 0 && this.bytes + bytes > limits.bytes) throw ledgerFull("bytes", limits.bytes);
  }
}

/** `truncated`: the ledger has no room; what it holds stays. */
export function ledgerFull(limit: "records" | "bytes", maximum: number): ReaError<"truncated"> {
  return new ReaError("truncated", {
    message: `The Evidence ledger has no room: its bound is ${String(maximum)} ${limit}. Export what is needed, then close_binary.`,
    details: { limit, maximum },
    action: "Write the ledger to a file with export_evidence_bundle, then clear it with close_binary.",
  });
}

function parseWhole(text: string): BundleWhole {
  return bundleWholeSchema.parse(JSON.parse(text));
}
