import { z } from "../z.js";
import { coverageSchema } from "../coverage.js";
import { architectureInput, pathInput } from "./binary-format.js";
import { defineOperation } from "./define.js";
import { count } from "./values.js";

const text = z.string();

const certificate = z.strictObject({
  subject: text.nullable(),
  issuer: text.nullable(),
  serial: text.nullable(),
  not_before: text.nullable(),
  not_after: text.nullable(),
  key: text.nullable(),
  self_issued: z.boolean(),
  sha1: text,
  sha256: text,
});

const check = { verdict: z.enum(["holds", "broken", "not_verified"]), reason: text.nullable() };

const signer = z.strictObject({
  subject: text.nullable(),
  certificate_sha256: text.nullable(),
  digest_algorithm: text.nullable(),
  signature_algorithm: text.nullable(),
  signing_time: text.nullable(),
  timestamps: z.array(z.strictObject({ kind: text, time: text.nullable() })),
  content_digest: z.strictObject({ ...check, algorithm: text.nullable(), declared: text.nullable(), calculated: text.nullable() }),
  signature: z.strictObject(check),
});

const signedData = { certificates: z.array(certificate), signers: z.array(signer) };

const pages = z.strictObject({
  checked: count,
  matched: count,
  mismatched: z.array(
    z.strictObject({ page: count, file_offset: count, size: count, declared: text, calculated: text.nullable() }),
  ),
  mismatched_total: count,
  not_checked: text.nullable(),
});

const anomaly = z.strictObject({ kind: text, detail: text, file_offset: count.nullable() });
const blob = z.strictObject({ file_offset: count, size: count, sha256: text });
const location = z.strictObject({ file_offset: count, size: count });

const machoSlice = z.strictObject({
  architecture: text.nullable(),
  offset: count,
  size: count,
  signed: z.boolean(),
  ad_hoc: z.boolean(),
  linker_signed: z.boolean(),
  location: location.nullable(),
  code_directories: z.array(
    z.strictObject({
      slot: count,
      version: text,
      identifier: text.nullable(),
      team: text.nullable(),
      flags: z.array(text),
      hash_type: text,
      page_size: count,
      code_limit: count,
      code_slots: count,
      special_slots: count,
      cdhash: text.nullable(),
      runtime_version: text.nullable(),
      exec_segment: z.strictObject({ base: count, limit: count, flags: count }).nullable(),
      pages,
      special: z.array(
        z.strictObject({
          slot: count,
          name: text,
          declared: text.nullable(),
          calculated: text.nullable(),
          verdict: z.enum(["holds", "broken", "missing", "unsealed", "not_checked"]),
        }),
      ),
    }),
  ),
  requirements: blob.nullable(),
  entitlements: blob.extend({ text, truncated: z.boolean() }).nullable(),
  entitlements_der: blob.nullable(),
  cms: z.strictObject({ ...signedData, alternate_directories: z.enum(["holds", "broken", "not_checked"]) }).nullable(),
  notarization_ticket: blob.nullable(),
  anomalies: z.array(anomaly),
});

const pe = z.strictObject({
  signed: z.boolean(),
  checksum: z.strictObject({ declared: text, calculated: text, verdict: z.enum(["holds", "broken", "not_set"]) }),
  certificate_table: location
    .extend({ entries: z.array(location.extend({ revision: text, type: text })) })
    .nullable(),
  signatures: z.array(
    z.strictObject({
      ...signedData,
      file_offset: count,
      nested: z.boolean(),
      image_digest: z.strictObject({
        algorithm: text.nullable(),
        declared: text,
        calculated: text.nullable(),
        verdict: z.enum(["holds", "broken", "not_checked"]),
      }),
      page_hashes: pages.extend({ algorithm: text }).nullable(),
      program_name: text.nullable(),
      program_url: text.nullable(),
    }),
  ),
  anomalies: z.array(anomaly),
});

const elf = z.strictObject({
  signed: z.boolean(),
  appended: z.strictObject({ ...signedData, kind: text, file_offset: count, size: count, id_type: text, signed_bytes: count }).nullable(),
});

const fuses = z.array(
  z.strictObject({
    file_offset: count,
    version: count,
    fuses: z.array(
      z.strictObject({ name: text, state: z.enum(["enabled", "disabled", "removed", "inherited", "unknown"]) }),
    ),
  }),
);

const inspectSignatureOperation = defineOperation(
  z.strictObject({ path: pathInput.optional(), architecture: architectureInput }),
  z.strictObject({
    format: z.enum(["mach-o", "mach-o-universal", "pe", "elf"]),
    /** `unsigned`: nothing to verify. `broken`: something declared does not hold. `holds`: everything that was checked holds. */
    verdict: z.enum(["unsigned", "holds", "broken", "not_verified"]),
    problems: z.array(text),
    trust: z.literal("not-evaluated"),
    slices: z.array(machoSlice),
    pe: pe.nullable(),
    elf: elf.nullable(),
    electron_fuses: fuses,
    coverage: coverageSchema,
    limitations: z.array(text),
  }),
);

/** The signatures of executables. */
export const signatureOperations = { inspect_signature: inspectSignatureOperation } as const;
