import { coverageSchema } from "../coverage.js";
import { z } from "../z.js";
import { count } from "./values.js";

/** Sources that an application may have been built from, as `rea import-reference-source` saves them. */

const text = z.string();
const sha256 = z.string().regex(/^[0-9a-f]{64}$/u);

const unit = z.strictObject({
  structure_sha256: sha256,
  code_sha256: sha256,
  syntax_nodes: count,
  /** A sample of its words, as nodes of application graphs carry it. */
  words: text,
  words_shift: count,
  /** Names it exports. */
  exports: z.array(text),
});

const entry = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("file"),
    path: text,
    sha256,
    bytes: count,
    language: text.nullable(),
    encoding: z.enum(["utf-8", "invalid-utf-8", "utf-16", "binary"]),
    /** What is wrong with it, in fixed words. */
    diagnostics: z.array(text),
    /** Null for what is no script, or could not be read as one. */
    unit: unit.nullable(),
  }),
  /** Never followed. */
  z.strictObject({ kind: z.literal("symlink"), path: text, target: text, leads: z.enum(["inside", "outside"]) }),
  z.strictObject({ kind: z.literal("unreadable"), path: text, reason: z.enum(["unreadable", "not_regular", "too_large", "changed_while_read"]) }),
]);
export type SourceReferenceEntry = Readonly<z.output<typeof entry>>;

export const exclusionReasons = ["secret-pattern", "version-control", "dependencies"] as const;

export const sourceReferenceSchema = z.strictObject({
  schema: z.literal("JavaScriptSourceReference"),
  schema_version: z.literal(1),
  authority: z.literal("historical-reference"),
  /** Over paths, kinds and digests of all entries. */
  root_sha256: sha256,
  /** `partial` when an entry could not be read, or a bound was reached. */
  inventory_state: z.enum(["complete", "partial"]),
  entries: z.array(entry),
  languages: z.array(z.strictObject({ language: text, files: count, bytes: count })),
  manifests: z.array(z.strictObject({ path: text, name: text.nullable(), version: text.nullable(), type: z.enum(["module", "commonjs"]).nullable(), main: text.nullable(), dependencies: z.array(text) })),
  relationships: z.array(z.strictObject({ from: text, specifier: text, state: z.enum(["resolved", "external", "missing"]), to: text.nullable() })),
  parse_failures: z.array(z.strictObject({ path: text, problem: text, line: count.nullable(), column: count.nullable() })),
  /** What was not read, by a rule. */
  exclusions: z.array(z.strictObject({ path: text, reason: z.enum(exclusionReasons), pattern: text.nullable() })),
  /** As the files of version control say it; none of its programs is run. */
  version_control: z.strictObject({ system: z.literal("git"), branch: text.nullable(), commit: text.nullable() }).nullable(),
  coverage: coverageSchema,
  limitations: z.array(text),
});
export type SourceReference = Readonly<z.output<typeof sourceReferenceSchema>>;
export type SourceReferenceUnit = Readonly<z.output<typeof unit>>;
