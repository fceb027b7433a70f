import { isReaError, omission, type Omission, type SubjectFormat } from "@rea/core";
import type { Entry, EntryContent, FoundContradiction, Unavailable } from "../format.js";
import type { Anomaly } from "../graph/anomaly.js";
import type { ContainerPart } from "../graph/graph.js";
import type { FoundHint, LeafHints } from "../hints/found-hint.js";
import type { PlacedManifest } from "../integrity/placed.js";
import type { PlacedSignature } from "../integrity/verdicts.js";
import type { Budget } from "./budget.js";
import { roleOf } from "./classify.js";
import { BoundReached, type ContentMeter, type StopReason } from "./content-meter.js";
import { judge, type Contradiction } from "./judge.js";
import type { Place } from "./place.js";
import { integrityMismatch, stopOmission, unavailableOmission } from "./walk-omissions.js";

export interface FindingsOptions {
  readonly budget: Budget;
  readonly integrityPolicy: "fail" | "record-and-continue";
  readonly isContainer: (format: SubjectFormat) => boolean;
}

const maxContradictions = 100;
const maxHints = 32;

/** What a walk has found out so far, beside the places themselves. */
export class Findings {
  readonly anomalies: Anomaly[] = [];
  readonly omissions: Omission[] = [];
  readonly contradictions: Contradiction[] = [];
  readonly parts: ContainerPart[] = [];
  readonly hints: LeafHints[] = [];
  readonly manifests: PlacedManifest[] = [];
  readonly signatures: PlacedSignature[] = [];
  /** Places whose bytes are not those that were declared, with who declared them. */
  readonly failures: { readonly place: Place; readonly declaredBy: string }[] = [];
  readonly #options: FindingsOptions;

  constructor(options: FindingsOptions) {
    this.#options = options;
  }

  /** A bound ended the reading of a member. */
  stop(place: Place, reason: StopReason): void {
    place.hashStatus = "not-hashed-limit";
    place.unexplored = "limit";
    if (reason === "total_bytes") this.#options.budget.endOfBytes();
    else this.omissions.push(stopOmission(reason, this.#options.budget.limits));
  }

  /** Writes down what was read; the digest when the content is whole and nothing declared of it is wrong. */
  settle(place: Place, { entry, content, meter }: Measured): string | undefined {
    place.bytes = meter.bytes;
    if (meter.stopped !== undefined) {
      this.stop(place, meter.stopped);
      return undefined;
    }
    if (meter.broken !== undefined) {
      place.hashStatus = "unavailable";
      place.limitations.push("The data breaks off or is damaged.");
      this.omissions.push(omission("Contents of damaged members.", "malformed", { count: 1, how_to_continue: "Get an undamaged copy of the artifact." }));
      return undefined;
    }
    const verdict = judge(place, { entry, content, meter });
    this.anomalies.push(...verdict.anomalies);
    for (const declaredBy of verdict.failedBy) this.failures.push({ place, declaredBy });
    if (verdict.contradiction !== undefined) this.#contradict(place, verdict.contradiction);
    return place.hashStatus === "verified" ? place.sha256 : undefined;
  }

  /** A digest that was declared behind its member, which was read by then. */
  comparedLate(place: Place, { declared, declaredBy }: { readonly declared: string; readonly declaredBy: string }): void {
    if (place.sha256 === undefined) return;
    place.declaredChecks += 1;
    if (place.sha256 === declared) return;
    place.trust = "observed-untrusted";
    place.hashStatus = "mismatched";
    this.failures.push({ place, declaredBy });
    const detail = `The content does not have the sha256 digest declared by ${declaredBy}.`;
    this.anomalies.push({ anomaly: "digest_mismatch", logical_path: place.logicalPath, offset: place.location?.offset ?? null, detail, effect: "Programs that check refuse the member, others take it." });
    this.#contradict(place, { place, algorithm: "sha256", declared, observed: place.sha256, unpacked: false, provenance: declaredBy });
  }

  /** A signature that a reader checked. */
  signature(found: PlacedSignature): void {
    this.signatures.push(found);
    if (found.verdict !== "broken") return;
    const detail = `The ${found.scheme} signature does not hold. ${found.problems.join(" ")}`;
    this.anomalies.push({ anomaly: "broken_signature", logical_path: found.logical_path, offset: null, detail, effect: "Programs that check the signature refuse the package." });
  }

  /** A digest of a whole container that its reader disproved; its members are still worth a look. */
  containerContradicted(place: Place, { algorithm, declared, observed, declaredBy, detail }: FoundContradiction): void {
    place.trust = "observed-untrusted";
    place.hashStatus = "mismatched";
    this.failures.push({ place, declaredBy });
    this.anomalies.push({ anomaly: "digest_mismatch", logical_path: place.logicalPath, offset: null, detail, effect: "Programs that check refuse the package, others take it." });
    this.#contradict(place, { place, algorithm, declared, observed, unpacked: false, provenance: declaredBy });
    place.unexplored = undefined;
  }

  #contradict(place: Place, contradiction: Contradiction): void {
    if (this.#options.integrityPolicy === "fail") throw integrityMismatch(contradiction);
    if (this.contradictions.length < maxContradictions) this.contradictions.push(contradiction);
    else this.omissions.push(omission("Contradicted members behind the first hundred.", "limit_items", { limit: maxContradictions, count: 1 }));
    place.unexplored = "integrity_mismatch";
  }

  /** A bound on the container around it ended the reading of a member. */
  cutByContainer(place: Place): void {
    place.hashStatus = "not-hashed-limit";
    place.unexplored = "limit";
  }

  /** What a program or script carries: it is told and not opened. */
  hint(place: Place, hints: readonly FoundHint[]): void {
    if (hints.length === 0) return;
    place.unexplored ??= "format_specific_analysis_required";
    const shown = hints.slice(0, maxHints);
    this.hints.push({ logical_path: place.logicalPath, duplicate_index: place.duplicateIndex, hints: shown });
    if (hints.length === shown.length) return;
    this.omissions.push(omission("Hints at what a program carries, behind the first of them.", "limit_items", { limit: maxHints, count: hints.length - shown.length }));
  }

  /** Writes format and role of a content into its place. */
  describe(place: Place, head: Uint8Array, format: SubjectFormat): void {
    if (place.entryKind === "directory") place.format = "directory";
    else if (place.entryKind !== "symlink" && place.entryKind !== "special") place.format = format;
    const role = roleOf(place.format, head, place.logicalPath, this.#options.isContainer(place.format));
    place.kind = place.entryKind === "slice" ? "universal-slice" : role.kind;
    place.mediaType = role.mediaType;
    place.architecture = role.architecture;
    place.executable ||= role.program && place.kind === "executable";
  }

  /** A member whose content cannot be had. */
  unavailable(place: Place, { reason, why }: Unavailable): void {
    this.describe(place, new Uint8Array(0), "unknown");
    place.limitations.push(why);
    if (reason === "encrypted") place.unexplored = "encrypted";
    if (reason === "limit") this.cutByContainer(place);
    this.omissions.push(unavailableOmission(reason));
  }

  /** Damage that ended the reading of a container; anything else is thrown on. */
  containerBroke(place: Place, error: unknown): void {
    // The bound itself is told where it was reached.
    if (error instanceof BoundReached) {
      place.limitations.push("A bound ended the reading of this container; members behind it were not read.");
      return;
    }
    if (!isReaError(error) || error.code !== "artifact_operation_failed") throw error;
    place.limitations.push("The container is damaged; members behind the damage were not read.");
    this.omissions.push(omission("Members of a damaged container.", "malformed", { how_to_continue: "Get an undamaged copy of the artifact." }));
  }
}

interface Measured {
  readonly entry: Entry;
  readonly content: EntryContent;
  readonly meter: ContentMeter;
}
