import { providerIdentitySchema, sha256Schema, type ProviderIdentity } from "./analysis-profile.js";
import { canonicalJson } from "./canonical-json.js";
import { sortedSet } from "./code-point-order.js";
import {
  environmentSchema,
  evidenceIdSchema,
  evidenceSchema,
  subjectSchema,
  type Environment,
  type Evidence,
} from "./evidence-schema.js";
import { authorities, capturePredicatePrefix } from "./evidence-words.js";
import { jsonValue } from "./json-schemas.js";
import { unknownRevisionSchema } from "./unknown-revision.js";
import { z } from "./z.js";

/** Kinds of results that are retained whole and that records commit to by digest. */
export const wholeKinds = ["artifact-graph", "application-graph", "capture", "function-inventory"] as const;
export type WholeKind = (typeof wholeKinds)[number];

/** A whole in a bundle; `sha256` and `bytes` are of the canonical text of `content`. */
export const bundleWholeSchema = z
  .strictObject({ sha256: sha256Schema, kind: z.enum(wholeKinds), bytes: z.int().nonnegative(), content: jsonValue })
  .readonly();
export type BundleWhole = z.infer<typeof bundleWholeSchema>;

const { digest, format, architecture } = subjectSchema.unwrap().shape;
const citation = z
  .strictObject({ evidence_id: evidenceIdSchema, operation: z.string(), authority: z.enum(authorities) })
  .readonly();

/** What a bundle says about its records; always recomputed, never believed. */
const derivedShape = {
  artifacts: z.array(z.strictObject({ digest, format, architecture }).readonly()).readonly(),
  providers: z.array(providerIdentitySchema).readonly(),
  environments: z.array(environmentSchema).readonly(),
  scenarios: z.array(citation).readonly(),
  captures: z.array(citation).readonly(),
};
export type DerivedLists = Readonly<z.infer<z.ZodObject<typeof derivedShape>>>;

/** Evidence that can be carried to another session or machine. */
export const bundleSchema = z
  .strictObject({
    bundle_version: z.literal(2),
    ...derivedShape,
    unknowns: z.array(unknownRevisionSchema).readonly(),
    records: z.array(evidenceSchema).readonly(),
    wholes: z.array(bundleWholeSchema).readonly().optional(),
  })
  .readonly();
export type EvidenceBundle = z.infer<typeof bundleSchema>;

/** Collects what a bundle says about its records, one record at a time and in the order of their ids. */
export class DerivedListCollector {
  readonly #artifacts = new Map<string, DerivedLists["artifacts"][number]>();
  readonly #providers = new Map<string, ProviderIdentity>();
  readonly #environments = new Map<string, Environment>();
  readonly #scenarios: DerivedLists["scenarios"][number][] = [];
  readonly #captures: DerivedLists["captures"][number][] = [];

  add(record: Evidence): void {
    const { subject, environment, evidence_id, operation, authority } = record;
    if (subject !== null) {
      addDistinct(this.#artifacts, { digest: subject.digest, format: subject.format, architecture: subject.architecture });
    }
    addDistinct(this.#providers, record.provider);
    if (environment !== null) addDistinct(this.#environments, environment);
    if (authority === "controlled-replay") this.#scenarios.push({ evidence_id, operation, authority });
    if (record.predicate_type.startsWith(capturePredicatePrefix)) this.#captures.push({ evidence_id, operation, authority });
  }

  lists(): DerivedLists {
    return {
      artifacts: inOrder(this.#artifacts),
      providers: inOrder(this.#providers),
      environments: inOrder(this.#environments),
      scenarios: this.#scenarios,
      captures: this.#captures,
    };
  }
}

function addDistinct<T>(items: Map<string, T>, item: T): void {
  items.set(canonicalJson(item), item);
}

/** By code point order of the canonical texts. */
function inOrder<T>(items: ReadonlyMap<string, T>): T[] {
  return sortedSet(items.keys()).flatMap((text) => items.get(text) ?? []);
}
