import { z } from "../z.js";
import { coverageSchema, pageSchema } from "../coverage.js";
import { defineOperation } from "./define.js";
import { addressValue, count } from "./values.js";

const text = z.string();
const located = { file_offset: count.nullable(), size: count.nullable() };

/** A path input: absolute, local; replaced by the digest of what was read before it enters Evidence. */
export const pathInput = z.string().min(1).max(4096).describe("Absolute path; default the open target");
/** A slice by name. */
export const architectureInput = z.string().min(1).max(32).optional().describe("Slice of a universal file");

export const binaryFacets = [
  "header",
  "segments",
  "sections",
  "symbols",
  "imports",
  "exports",
  "relocations",
  "libraries",
  "mitigations",
  "build_ids",
  "signatures",
  "overlay",
  "anomalies",
  "strings_summary",
  "container_hints",
] as const;
export type BinaryFacet = (typeof binaryFacets)[number];

/** A whole list with its coverage. */
const listOf = <T extends z.ZodType>(item: T) => z.strictObject({ items: z.array(item), coverage: coverageSchema });

const range = z.strictObject({
  name: text,
  address: addressValue.nullable(),
  ...located,
  virtual_size: count,
  flags: z.array(text),
  entropy_millibits: z.number().int().min(0).max(8000).nullable(),
  sha256: text.nullable(),
});

export const mitigationNames = [
  "pie",
  "nx",
  "relro",
  "canary",
  "fortify",
  "cfi",
  "cet",
  "aslr",
  "high_entropy_aslr",
  "dep",
  "guard_cf",
  "safe_seh",
  "hardened_runtime",
  "library_validation",
  "stripped",
] as const;

const symbol = z.strictObject({
  name: text,
  address: addressValue.nullable(),
  binding: text.nullable(),
  type: text.nullable(),
  section: text.nullable(),
  library: text.nullable(),
  version: text.nullable(),
  version_default: z.boolean().nullable(),
  table: text,
  ...located,
});

const inspectBinaryOperation = defineOperation(
  z.strictObject({
    path: pathInput.optional(),
    facets: z.array(z.enum(binaryFacets)).min(1).max(15).optional().describe("Facets wanted; default all"),
    symbol_offset: z.number().int().min(0).default(0).describe("First symbol, import and export"),
    symbol_limit: z.number().int().min(1).max(500).default(100).describe("Symbols, imports, exports in a page"),
    architecture: architectureInput,
  }),
  z.strictObject({
    format: text,
    architecture: text.nullable(),
    available_architectures: z.array(text),
    header: z
      .strictObject({
        format: text,
        class_bits: z.union([z.literal(32), z.literal(64)]),
        endianness: z.enum(["little", "big"]),
        machine: text,
        type: text,
        entry: addressValue.nullable(),
        image_base: addressValue,
        flags: z.array(text),
        interpreter: text.nullable(),
        subsystem: text.nullable(),
        timestamp: z.strictObject({ raw: text, utc: text.nullable() }).nullable(),
        ...located,
        coverage: coverageSchema,
      })
      .optional(),
    segments: listOf(range).optional(),
    sections: listOf(range).optional(),
    symbols: pageSchema(symbol).optional(),
    imports: pageSchema(
      z.strictObject({
        name: text.nullable(),
        library: text.nullable(),
        ordinal: count.nullable(),
        version: text.nullable(),
        address: addressValue.nullable(),
        binding: text.nullable(),
        type: text.nullable(),
        delayed: z.boolean(),
        ...located,
      }),
    ).optional(),
    exports: pageSchema(
      z.strictObject({
        name: text.nullable(),
        address: addressValue.nullable(),
        ordinal: count.nullable(),
        version: text.nullable(),
        version_default: z.boolean().nullable(),
        forwarder: text.nullable(),
        binding: text.nullable(),
        type: text.nullable(),
        ...located,
      }),
    ).optional(),
    relocations: z
      .strictObject({
        total: count,
        by_type: z.array(z.strictObject({ type: text, count })),
        by_section: z.array(z.strictObject({ section: text, count })),
        coverage: coverageSchema,
      })
      .optional(),
    libraries: z
      .strictObject({
        needed: z.array(z.strictObject({ name: text, kind: text, version: text.nullable(), delayed: z.boolean() })),
        run_paths: z.array(z.strictObject({ path: text, kind: text })),
        own_name: text.nullable(),
        coverage: coverageSchema,
      })
      .optional(),
    mitigations: listOf(
      z.strictObject({
        name: z.enum(mitigationNames),
        state: z.enum(["enabled", "disabled", "not_applicable", "unknown", "none", "partial", "full"]),
        basis: text,
      }),
    ).optional(),
    build_ids: listOf(z.strictObject({ kind: text, value: text, detail: text.nullable(), ...located }))
      .extend({
        toolchain: z
          .strictObject({ name: text, version: text.nullable(), language: text.nullable(), basis: z.array(text) })
          .nullable(),
      })
      .optional(),
    signatures: listOf(z.strictObject({ kind: text, ...located, inspect_with: text })).optional(),
    overlay: z
      .strictObject({
        present: z.boolean(),
        ...located,
        sha256: text.nullable(),
        format: text.nullable(),
        entropy_millibits: count.nullable(),
        coverage: coverageSchema,
      })
      .optional(),
    anomalies: listOf(z.strictObject({ kind: text, detail: text, file_offset: count.nullable() })).optional(),
    strings_summary: z
      .strictObject({
        by_encoding: z.array(z.strictObject({ encoding: text, count })),
        minimum_length: count,
        coverage: coverageSchema,
      })
      .optional(),
    container_hints: listOf(z.strictObject({ kind: text, basis: text, ...located })).optional(),
    limitations: z.array(text),
  }),
);

const listArchitecturesOperation = defineOperation(
  z.strictObject({ path: pathInput.optional() }),
  z.strictObject({
    architectures: z.array(
      z.strictObject({
        architecture: text.nullable(),
        cpu_type: text,
        cpu_subtype: text.nullable(),
        offset: count,
        size: count,
        alignment: count.nullable(),
      }),
    ),
    universal: z.boolean(),
    coverage: coverageSchema,
  }),
);

const dylib = z.strictObject({
  name: text,
  kind: text,
  current_version: text.nullable(),
  compatibility_version: text.nullable(),
  timestamp: count.nullable(),
});

const inspectMachoOperation = defineOperation(
  z.strictObject({ path: pathInput.optional(), architecture: architectureInput }),
  z.strictObject({
    architecture: text.nullable(),
    available_architectures: z.array(text),
    slice: z.strictObject({ offset: count, size: count }),
    header: z.strictObject({
      magic: text,
      cpu_type: text,
      cpu_subtype: text,
      file_type: text,
      command_count: count,
      command_bytes: count,
      flags: z.array(text),
    }),
    load_commands: z.array(
      z.strictObject({ command: text, offset: count, size: count, fields: z.record(z.string(), z.unknown()).nullable() }),
    ),
    segments: z.array(
      z.strictObject({
        name: text,
        address: addressValue,
        virtual_size: count,
        file_offset: count,
        file_size: count,
        max_protection: text,
        initial_protection: text,
        flags: z.array(text),
        sections: z.array(
          z.strictObject({
            name: text,
            segment: text,
            address: addressValue,
            size: count,
            file_offset: count.nullable(),
            type: text,
            attributes: z.array(text),
          }),
        ),
      }),
    ),
    dylibs: z.array(dylib),
    rpaths: z.array(text),
    build_version: z
      .strictObject({
        platform: text,
        minimum_os: text,
        sdk: text.nullable(),
        tools: z.array(z.strictObject({ tool: text, version: text })),
      })
      .nullable(),
    uuid: text.nullable(),
    entry_point: addressValue.nullable(),
    fixups: z
      .strictObject({
        kind: z.enum(["chained", "dyld_info", "none"]),
        summary: z.record(z.string(), z.union([text, count])),
      })
      .nullable(),
    function_starts_count: count.nullable(),
    encryption: z
      .strictObject({ crypt_id: count, file_offset: count, size: count })
      .nullable(),
    code_signature: z.strictObject({ file_offset: count, size: count }).nullable(),
    coverage: coverageSchema,
    limitations: z.array(text),
  }),
);

/** Operations of the auxiliary provider `rea-binary-static`. */
export const binaryFormatOperations = {
  inspect_binary: inspectBinaryOperation,
  inspect_macho: inspectMachoOperation,
  list_architectures: listArchitecturesOperation,
} as const;
