import { z } from "../z.js";
import { coverageSchema, pageSchema } from "../coverage.js";
import { jsonObject, jsonValue } from "../json-schemas.js";
import { pathInput } from "./binary-format.js";
import { defineOperation } from "./define.js";
import { count, pageInput } from "./values.js";

const text = z.string();
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const bounded = <T extends z.ZodType>(item: T) =>
  z.strictObject({ items: z.array(item), returned: count, total: count, truncated: z.boolean() });

/** The file that was examined. */
const documentSchema = z.strictObject({
  /** Where it stands in what `path` names; `.` when it is that file itself. */
  logical_path: text,
  sha256,
  bytes: count,
});

/** What does not hold, and where. */
const anomalies = bounded(z.strictObject({ anomaly: text, offset: count.nullable(), detail: text }));

const inspectPlistOperation = defineOperation(
  z.strictObject({
    path: pathInput.optional(),
    relative_path: z
      .string()
      .min(1)
      .max(1024)
      .default("Contents/Info.plist")
      .describe("Place in a directory, bundle or archive; a plist file is itself"),
    root: z.string().max(4096).optional().describe("Key path of the part wanted: A.0.B, dots in keys as \\."),
  }),
  z.strictObject({
    document: documentSchema,
    format: z.enum(["binary", "xml", "openstep"]),
    encoding: text.nullable(),
    /** Objects that a binary list declares. */
    object_count: count.nullable(),
    root: text,
    /** Whether `root` leads to a value. */
    found: z.boolean(),
    root_type: text.nullable(),
    value: jsonValue,
    /** Values whose type their JSON form does not show. */
    typed: bounded(z.strictObject({ key_path: text, type: text, offset: count })),
    anomalies,
    coverage: coverageSchema,
    limitations: z.array(text),
  }),
);

/** Where in a directory, bundle or archive the document stands. */
const relativePath = z
  .string()
  .min(1)
  .max(1024)
  .optional()
  .describe("Place in a directory or archive; default its only such document");

const inspectKeyedArchiveOperation = defineOperation(
  z.strictObject({
    path: pathInput.optional(),
    relative_path: relativePath,
    root: z.number().int().min(0).default(0).describe("Object whose reachable objects are wanted; 0 for all"),
    ...pageInput(500, 100),
  }),
  z.strictObject({
    document: documentSchema,
    format: z.enum(["binary", "xml", "openstep"]),
    archiver: text.nullable(),
    version: text.nullable(),
    /** Named entry points; the reference is null where the value stands in place. */
    top: bounded(z.strictObject({ name: text, reference: count.nullable(), value: jsonValue })),
    object_count: count,
    classes: bounded(z.strictObject({ class: text, count })),
    /** In order of their numbers, or breadth first from `root`; references are `{uid}` with the number of the object. */
    objects: pageSchema(
      z.strictObject({
        index: count,
        kind: text,
        class: text.nullable(),
        class_hierarchy: z.array(text),
        fields: jsonObject,
        /** Of objects without fields. */
        value: jsonValue,
      }),
    ),
    anomalies,
    limitations: z.array(text),
  }),
);

/** Documents of Apple's platforms, read without running anything. */
export const appleDocumentOperations = {
  inspect_plist: inspectPlistOperation,
  inspect_keyed_archive: inspectKeyedArchiveOperation,
} as const;
