import { createHash, type Hash } from "node:crypto";

import { bundleSchema, bundleWholeSchema, DerivedListCollector, type BundleWhole, type DerivedLists } from "./bundle-schema.js";
import { canonicalDigestOfWhole, canonicalJson, wholeFrameDepth } from "./canonical-json.js";
import { sortedSet } from "./code-point-order.js";
import { deepFreeze } from "./deep-freeze.js";
import { ReaError } from "./errors.js";
import { evidenceRefusal, schemaRefusal, type RefusalDetails } from "./evidence-refusal.js";
import type { Evidence } from "./evidence-schema.js";
import { checkEvidenceId, readEvidence } from "./evidence.js";
import { isJsonObject, type JsonValue } from "./json.js";
import { StrictJsonParser } from "./strict-json.js";
import { checkUnknownGraph, evidenceFacts, type EvidenceFacts } from "./unknown-graph.js";
import { checkUnknownIdentity, unknownRevisionSchema, unknownSortKey, type UnknownRevision } from "./unknown-revision.js";

export interface BundleLimits {
  /** Default 2 GiB. */
  readonly maxBytes?: number;
  /** Records and revisions of unknowns together; default 100,000. */
  readonly maxRecords?: number;
}

export interface BundleReaderOptions extends BundleLimits {
  /** Takes each record once it stands on its own. Nothing counts before `end()` returned. */
  readonly takeRecord?: (record: Evidence) => void;
  readonly takeWhole?: (whole: BundleWhole) => void;
}

/** What a bundle held, besides the records and wholes that were taken. */
export interface BundleSummary {
  /** Of the bytes read: the bundle's digest. */
  readonly sha256: string;
  readonly bytes: number;
  readonly records: number;
  readonly wholes: number;
  readonly unknowns: readonly UnknownRevision[];
  readonly derived: DerivedLists;
  /** Ids that records link to but the bundle does not hold. */
  readonly unresolvedLinks: readonly string[];
}

/** In the order in which their failures are reported. Failures of size and structure end the reading at once. */
const phases = ["schema", "duplicate_id", "record_id", "unknown_graph", "derived_lists", "wholes"] as const;
type Phase = (typeof phases)[number];

const derivedNames = ["artifacts", "providers", "environments", "scenarios", "captures"] as const;
const defaultMaxBytes = 2 * 1024 ** 3;
const defaultMaxRecords = 100_000;

/**
 * Reads a bundle of any size from chunks, holding one record or whole at a time and a line of facts per record.
 * Throws `evidence_integrity_mismatch` that names the broken constraint and the record or whole, or `truncated`.
 * When it throws, everything that was taken must be thrown away.
 */
export class BundleReader {
  readonly #options: BundleReaderOptions;
  readonly #parser: StrictJsonParser;
  readonly #hash = createHash("sha256");
  readonly #failures = new Map<Phase, ReaError>();
  readonly #facts = new Map<string, EvidenceFacts>();
  readonly #links = new Set<string>();
  readonly #unknowns: UnknownRevision[] = [];
  readonly #derived = new DerivedListCollector();
  readonly #givenLists = new Map<string, Hash>(derivedNames.map((name) => [name, createHash("sha256")]));
  readonly #lastKeys = new Map<string, string>();
  #records = 0;
  #wholes = 0;

  constructor(options: BundleReaderOptions = {}) {
    this.#options = options;
    this.#parser = new StrictJsonParser({
      // The bundle and its list; around the items of a whole also the whole, its content and the lists in that.
      frameDepthOf: (member) => (member === "wholes" ? 3 + wholeFrameDepth : 2),
      takeItem: (member, item) => this.#item(member, item),
    });
  }

  write(chunk: Uint8Array): void {
    const maximum = this.#options.maxBytes ?? defaultMaxBytes;
    if (this.#parser.bytes + chunk.byteLength > maximum) throw overLimit("bytes", maximum);
    this.#hash.update(chunk);
    this.#parser.write(chunk);
  }

  end(): BundleSummary {
    const top = this.#parser.end();
    checkVersion(top);
    if (!this.#parser.canonical) {
      throw evidenceRefusal("non_canonical", "The bundle is not in canonical JSON.", { constraint: "canonical_bytes" });
    }
    this.#attempt("schema", () => this.#checkTop(top));
    this.#attempt("unknown_graph", () => this.#checkUnknowns());
    const derived = this.#derived.lists();
    this.#attempt("derived_lists", () => this.#checkDerived(derived));
    for (const phase of phases) {
      const failure = this.#failures.get(phase);
      if (failure !== undefined) throw failure;
    }
    return {
      sha256: this.#hash.digest("hex"),
      bytes: this.#parser.bytes,
      records: this.#records,
      wholes: this.#wholes,
      unknowns: this.#unknowns,
      derived,
      unresolvedLinks: sortedSet(this.#links).filter((id) => !this.#facts.has(id)),
    };
  }

  #item(member: string, item: JsonValue): void {
    switch (member) {
      case "records":
        return this.#record(item);
      case "unknowns":
        return this.#unknown(item);
      case "wholes":
        return this.#whole(item);
      default:
        // Members that a bundle does not have are refused with the schema.
        this.#givenLists.get(member)?.update(`${canonicalJson(item)},`);
    }
  }

  #record(item: JsonValue): void {
    this.#records += 1;
    this.#checkCount();
    const record = this.#attempt("schema", () => readEvidence(item, `Record ${String(this.#records)} of the bundle`));
    if (record === undefined) return;
    const { evidence_id: id } = record;
    this.#checkOrder("records", id, { evidence_id: id });
    this.#attempt("record_id", () => checkEvidenceId(record));
    this.#facts.set(id, evidenceFacts(record));
    for (const link of record.evidence_links) this.#links.add(link);
    this.#derived.add(record);
    if (this.#failures.size === 0) this.#options.takeRecord?.(deepFreeze(record));
  }

  #unknown(item: JsonValue): void {
    const parsed = unknownRevisionSchema.safeParse(item);
    if (!parsed.success) {
      const what = `Unknown ${String(this.#unknowns.length + 1)} of the bundle`;
      this.#fail("schema", schemaRefusal(what, parsed.error));
      return;
    }
    const revision = deepFreeze(parsed.data);
    this.#checkOrder("unknowns", unknownSortKey(revision), { actual: { unknown_id: revision.unknown_id } });
    this.#unknowns.push(revision);
    this.#checkCount();
  }

  #whole(item: JsonValue): void {
    this.#wholes += 1;
    const parsed = bundleWholeSchema.safeParse(item);
    if (!parsed.success) {
      this.#fail("schema", schemaRefusal(`Whole ${String(this.#wholes)} of the bundle`, parsed.error));
      return;
    }
    const whole = parsed.data;
    this.#checkOrder("wholes", whole.sha256, { actual: { whole: whole.sha256 } });
    const { sha256, bytes } = canonicalDigestOfWhole(whole.content);
    if (sha256 !== whole.sha256) this.#fail("wholes", wholeMismatch(whole, "whole_sha256", whole.sha256, sha256));
    else if (bytes !== whole.bytes) this.#fail("wholes", wholeMismatch(whole, "whole_bytes", whole.bytes, bytes));
    if (this.#failures.size === 0) this.#options.takeWhole?.(deepFreeze(whole));
  }

  #checkTop(top: JsonValue): void {
    // The lists are empty here: their items were taken one by one.
    const parsed = bundleSchema.safeParse(top);
    if (!parsed.success) throw schemaRefusal("The bundle", parsed.error);
    if (parsed.data.wholes === undefined || this.#wholes > 0) return;
    throw evidenceRefusal("schema", "The bundle has an empty list of wholes.", { constraint: "wholes: not_empty" });
  }

  #checkUnknowns(): void {
    this.#unknowns.forEach(checkUnknownIdentity);
    checkUnknownGraph(this.#unknowns, (id) => this.#facts.get(id));
  }

  #checkDerived(derived: DerivedLists): void {
    for (const name of derivedNames) {
      const expected = createHash("sha256");
      for (const item of derived[name]) expected.update(`${canonicalJson(item)},`);
      if (expected.digest("hex") === this.#givenLists.get(name)?.digest("hex")) continue;
      throw evidenceRefusal("schema", `The list ${name} of the bundle does not follow from its records.`, {
        constraint: `derived_list: ${name}`,
      });
    }
  }

  #checkOrder(list: string, key: string, details: RefusalDetails): void {
    const last = this.#lastKeys.get(list);
    this.#lastKeys.set(list, key);
    if (last === undefined || last < key) return;
    if (last === key) {
      this.#fail("duplicate_id", evidenceRefusal("duplicate_id", `The bundle holds an entry of ${list} twice.`, {
        ...details,
        constraint: `${list}: unique`,
      }));
    } else {
      this.#fail("schema", evidenceRefusal("schema", `The ${list} of the bundle are not in order.`, {
        ...details,
        constraint: `${list}: sorted`,
      }));
    }
  }

  #checkCount(): void {
    const maximum = this.#options.maxRecords ?? defaultMaxRecords;
    if (this.#records + this.#unknowns.length > maximum) throw overLimit("records", maximum);
  }

  /** Runs a check whose failure is reported only if no earlier phase fails. */
  #attempt<T>(phase: Phase, action: () => T): T | undefined {
    try {
      return action();
    } catch (error) {
      if (!isRefusal(error)) throw error;
      this.#fail(phase, error);
      return undefined;
    }
  }

  #fail(phase: Phase, error: ReaError): void {
    if (!this.#failures.has(phase)) this.#failures.set(phase, error);
  }
}

function isRefusal(error: unknown): error is ReaError {
  return error instanceof ReaError;
}

function checkVersion(top: JsonValue): void {
  const version = isJsonObject(top) ? top["bundle_version"] : undefined;
  if (version === undefined || version === 2) return;
  throw evidenceRefusal("unsupported_version", "The bundle has an unsupported version. Export it again.", {
    constraint: "bundle_version",
    expected: 2,
    actual: typeof version === "number" ? version : null,
  });
}

function wholeMismatch(whole: BundleWhole, constraint: string, expected: string | number, actual: string | number): ReaError {
  return evidenceRefusal("id_mismatch", `The whole ${whole.sha256} of the bundle does not match its content.`, {
    constraint,
    expected,
    actual,
  });
}

function overLimit(limit: "bytes" | "records", maximum: number): ReaError {
  return new ReaError("truncated", {
    message: `The bundle exceeds the limit of ${String(maximum)} ${limit}. Import a smaller bundle.`,
    details: { limit, maximum },
    action: "Export a bundle that is restricted to one target, or without wholes.",
  });
}
