import { coverageSchema, pageSchema } from "../coverage.js";
import { z } from "../z.js";
import { addressValue, count } from "./values.js";

/** What `compare_providers` answers. Addresses are those of `rea-native` where it took part, else of the first provider. */

const text = z.string();
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

export const comparedFacts = ["functions", "names", "strings", "call_edges"] as const;
export type ComparedFact = (typeof comparedFacts)[number];

/** Which facts of one provider went into the comparison, and why, where none did. */
const target = z.strictObject({
  provider: z.strictObject({ id: text, name: text, version: text.nullable() }),
  /** `usable`: it could be asked, but there was no second to compare it with. */
  state: z.enum(["compared", "usable", "unavailable", "unsupported", "failed"]),
  /** The code of the rejection or of the failure; null where there is neither. */
  code: text.nullable(),
  reason: text.nullable(),
  analysis_profile_digest: sha256.nullable(),
  /** What was added to its addresses, `0x…` or `-0x…`: engines place position-independent programs differently. */
  address_shift: z.string().regex(/^-?0x[0-9a-f]+$/).nullable(),
  /** How many facts it gave; null for what it does not offer. */
  functions: count.nullable(),
  names: count.nullable(),
  strings: count.nullable(),
  call_edges: count.nullable(),
});
export type ComparedProvider = z.output<typeof target>;

const agreement = z.strictObject({
  /** `not_compared`: fewer than two providers gave such facts. */
  state: z.enum(["compared", "not_compared"]),
  /** Ids of those that gave such facts, sorted. */
  providers: z.array(text),
  /** The same with every one of them. */
  agreed: count,
  /** With one alone. */
  single_source: count,
  /** With several, but not all. */
  shared: count,
  /** Where they cannot all be right. */
  contradicted: count,
});
export type ProviderAgreement = z.output<typeof agreement>;

const singleSource = z.strictObject({
  fact: z.enum(comparedFacts),
  address: addressValue,
  /** The name, the text, or the function that is called; null where there is none. */
  value: text.nullable(),
  value_truncated: z.boolean(),
  /** Who has it; more than one where several have it and others do not. */
  providers: z.array(text),
  /** Who gave facts of this kind and does not have it. */
  missing: z.array(text),
});
export type SingleSourceFact = z.output<typeof singleSource>;

const contradictionKinds = ["function_start", "function_size", "name", "string"] as const;

const contradiction = z.strictObject({
  about: z.enum(contradictionKinds),
  address: addressValue,
  /** What each says, by provider id. */
  values: z.array(z.strictObject({ provider: text, value: text })),
});
export type ProviderContradiction = z.output<typeof contradiction>;

export const providerComparisonSchema = z.strictObject({
  /** `not_compared`: fewer than two providers could be asked about this target. */
  status: z.enum(["agreement", "differences", "not_compared"]),
  /** One for each provider that was asked for, sorted by id. */
  targets: z.array(target),
  agreement: z.strictObject({ functions: agreement, names: agreement, strings: agreement, call_edges: agreement }),
  single_source: pageSchema(singleSource),
  contradictions: pageSchema(contradiction),
  coverage: coverageSchema,
  limitations: z.array(text),
});
export type ProviderComparison = z.output<typeof providerComparisonSchema>;
