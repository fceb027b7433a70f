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

const objectId = text;
const connection = {
  document: text,
  source: objectId.nullable(),
  source_class: text.nullable(),
  destination: objectId.nullable(),
  destination_class: text.nullable(),
};

const decodeInterfaceBuilderOperation = defineOperation(
  z.strictObject({
    path: pathInput.optional(),
    max_documents: z.number().int().min(1).max(64).default(16).describe("Nibs decoded at most"),
    max_objects: z.number().int().min(1).max(20_000).default(5000).describe("Objects of all documents"),
    max_connections: z.number().int().min(1).max(40_000).default(10_000).describe("Outlets, actions and others of all"),
  }),
  z.strictObject({
    documents: z.array(
      documentSchema.extend({
        encoding: z.enum(["nib-archive", "keyed-archive"]),
        version: text.nullable(),
        framework: z.enum(["appkit", "uikit"]).nullable(),
        /** Place of the compiled storyboard that it belongs to. */
        storyboard: text.nullable(),
        archived_objects: count,
        objects: count,
        connections: count,
        anomalies,
      }),
    ),
    storyboards: z.array(
      z.strictObject({
        logical_path: text,
        entry_point: text.nullable(),
        main_menu: text.nullable(),
        /** A scene whose nib is not there has none. */
        scenes: z.array(z.strictObject({ identifier: text, nib: text, document: text.nullable() })),
      }),
    ),
    /** `id` is the place of the document, `#`, and the number in its archive. */
    objects: bounded(
      z.strictObject({
        id: objectId,
        document: text,
        index: count,
        oid: count.nullable(),
        class: text.nullable(),
        custom_class: text.nullable(),
        role: z.enum(["object", "file_owner", "first_responder", "placeholder"]),
        label: text.nullable(),
        parent: objectId.nullable(),
      }),
    ),
    outlets: bounded(z.strictObject({ ...connection, name: text.nullable(), collection: z.boolean() })),
    /** The destination is null where the chain of responders decides. */
    actions: bounded(z.strictObject({ ...connection, selector: text.nullable(), events: z.array(text) })),
    segues: bounded(
      z.strictObject({
        document: text,
        id: objectId,
        class: text,
        identifier: text.nullable(),
        source: objectId.nullable(),
        destination_scene: text.nullable(),
        action: text.nullable(),
      }),
    ),
    other_connections: bounded(z.strictObject({ ...connection, class: text, name: text.nullable(), key_path: text.nullable() })),
    unresolved_archives: bounded(z.strictObject({ logical_path: text, reason: text })),
    coverage: coverageSchema,
    limitations: z.array(text),
  }),
);

const inspectAssetCatalogOperation = defineOperation(
  z.strictObject({ path: pathInput.optional(), relative_path: relativePath, ...pageInput(500, 100) }),
  z.strictObject({
    document: documentSchema,
    header: z
      .strictObject({
        core_ui_version: count,
        storage_version: count,
        /** RFC 3339; null where the writer left it out. */
        timestamp: text.nullable(),
        rendition_count: count,
        main_version: text,
        version: text,
        uuid: text,
        associated_checksum: text,
        schema_version: count,
        color_space_id: count,
        key_semantics: count,
      })
      .nullable(),
    platform: z
      .strictObject({ name: text, version: text, authoring_tool: text, thinning_arguments: text })
      .nullable(),
    key_format: z.array(text),
    variables: bounded(z.strictObject({ name: text, bytes: count.nullable(), examined: z.boolean() })),
    names: bounded(text),
    renditions: pageSchema(
      z.strictObject({
        name: text.nullable(),
        file_name: text.nullable(),
        type: text.nullable(),
        /** `2x`; null where it does not apply. */
        scale: text.nullable(),
        idiom: text.nullable(),
        appearance: text,
        pixel_size: z.strictObject({ width: count, height: count }).nullable(),
        pixel_format: text.nullable(),
        encoding: text.nullable(),
        /** Of the data as stored, behind all headers: of a `raw` one the file that was put in. */
        bytes: count,
        /** Null for one of many that share their bytes. */
        sha256: sha256.nullable(),
        offset: count,
        stored_bytes: count,
        uti: text.nullable(),
        vector: z.boolean(),
        opaque: z.boolean(),
        template: z.boolean(),
        packed_in: z.strictObject({ x: count, y: count, width: count, height: count }).nullable(),
        color: z.strictObject({ color_space_id: count, components: z.array(text) }).nullable(),
        attributes: z.array(z.strictObject({ name: text, value: count })),
        problem: text.nullable(),
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
  decode_interface_builder: decodeInterfaceBuilderOperation,
  inspect_asset_catalog: inspectAssetCatalogOperation,
} as const;
