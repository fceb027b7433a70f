import { coverageOf, ReaError, sourceSlice, type ByteSource, type OperationResult } from "@rea/core";
import { detectFormat } from "../detect.js";
import { Findings } from "../findings.js";
import { sliceName } from "../macho/constants.js";
import { readMachHeader } from "../macho/header.js";
import { isUniversal, readUniversal, selectSlice } from "../macho/index.js";
import { PeFile } from "../pe/pe-file.js";
import { electronFuses } from "./electron-fuses.js";
import { appendedSignature } from "./elf-signature.js";
import { machoSignature } from "./macho-signature.js";
import type { BundleFiles } from "./macho-slots.js";
import { peSignature } from "./pe-signature.js";
import { finish, type Steps } from "./steps.js";
import { signatureVerdict } from "./verdict.js";

/** What `inspect_signature` answers. */
export type SignatureResult = OperationResult<"inspect_signature">;
type Result = SignatureResult;
type Slice = Result["slices"][number];

export interface InspectSignatureParams {
  /** One slice of a universal file; all of them by default. */
  readonly architecture?: string | undefined;
  /** Files of the bundle around a Mach-O program, which its signature seals. */
  readonly files?: BundleFiles | undefined;
}

const notLookedAt: BundleFiles = { infoPlist: "unknown", codeResources: "unknown" };

const limitations = [
  "No certificate chain is built and no trust is evaluated: a signature that holds was made with the key of the certificate named, whoever owns it.",
  "Timestamps are read and not verified; revocation is not asked.",
];

/**
 * Reads the signatures of an executable and recomputes what they declare, as `inspect_signature` returns it: page hashes
 * and special slots of Mach-O code directories, the Authenticode digest and page hashes of PE files, the checksum, the
 * signature behind an ELF kernel module, and Electron's fuses. It reads the whole file: run it in a worker, or use
 * `inspectSignatureSteps`.
 *
 * Throws `artifact_operation_failed` (reason `format`) for other files, `invalid_request` for an architecture it does not have.
 */
export function inspectSignature(source: ByteSource, params: InspectSignatureParams = {}): Result {
  return finish(inspectSignatureSteps(source, params));
}

/** The same in steps of a few milliseconds: run the generator to its end, doing something else in between. */
export function* inspectSignatureSteps(source: ByteSource, params: InspectSignatureParams = {}): Steps<Result> {
  const findings = new Findings();
  const format = formatOf(source);
  const isMachO = format === "mach-o" || format === "mach-o-universal";
  const slices = isMachO ? yield* machoSlices(source, params, findings) : [];
  const pe = format === "pe" ? yield* peSignature(new PeFile(source), findings) : null;
  const elf = format === "elf" ? yield* elfFacts(source, findings) : null;
  const found = { slices, pe: pe === null ? null : mutable(pe), elf };
  return {
    format,
    ...signatureVerdict(found),
    trust: "not-evaluated",
    ...found,
    electron_fuses: yield* electronFuses(source),
    coverage: coverageOf(findings.list()),
    limitations: [...limitations, ...(format === "elf" ? [elfLimit] : []), ...unsignedSlices(slices), ...besides(params)],
  };
}

const elfLimit = "IMA keeps its signatures in extended attributes of the file system, which are not part of the file and not read.";

function unsignedSlices(slices: readonly Slice[]): readonly string[] {
  const unsigned = slices.filter(({ signed }) => !signed).length;
  return unsigned === 0 || slices.length === 1 ? [] : [`${String(unsigned)} of ${String(slices.length)} slices have no signature.`];
}

/** What was read beside the file itself belongs to the answer. */
function besides({ files }: InspectSignatureParams): readonly string[] {
  return files?.infoPlist instanceof Uint8Array ? ["Info.plist and CodeResources of the bundle were read beside the program; use inspect_artifact on the bundle for its other files."] : [];
}

function formatOf(source: ByteSource): Result["format"] {
  const { format } = detectFormat(source, "");
  if (format === "mach-o" || format === "mach-o-universal" || format === "pe" || format === "elf") return format;
  throw new ReaError("artifact_operation_failed", {
    message: "The file is no ELF, PE or Mach-O executable, so it has no signature of that kind.",
    details: { operation: "inspect_signature", reason: "format", offset: 0 },
    action: "Use inspect_artifact: it verifies what packages and archives declare of their members.",
  });
}

function* machoSlices(source: ByteSource, { architecture, files = notLookedAt }: InspectSignatureParams, findings: Findings): Steps<Slice[]> {
  if (!isUniversal(source)) return [yield* machoSlice(source, { offset: 0, size: source.size, files, architecture }, findings)];
  const { items, omissions } = readUniversal(source);
  for (const one of omissions) findings.note(one.scope, one.reason, one.how_to_continue ?? "");
  const wanted = architecture === undefined ? items : [selectSlice(items, architecture, "inspect_signature")];
  const slices: Slice[] = [];
  for (const { offset, size } of wanted) slices.push(yield* machoSlice(source, { offset, size, files, architecture: undefined }, findings));
  return slices;
}

interface SlicePlace {
  readonly offset: number;
  readonly size: number;
  readonly files: BundleFiles;
  readonly architecture: string | undefined;
}

function* machoSlice(source: ByteSource, { offset, size, files, architecture }: SlicePlace, findings: Findings): Steps<Slice> {
  const image = offset === 0 && size === source.size ? source : sourceSlice(source, offset, size);
  const { cpuType, cpuSubtype } = readMachHeader(image);
  const name = sliceName(cpuType, cpuSubtype);
  if (architecture !== undefined && architecture !== name && !name.startsWith(architecture)) throw noSuchArchitecture(name);
  const found = yield* machoSignature({ image, offset, files }, findings);
  return { architecture: name, offset, size, ...mutable(found) };
}

function noSuchArchitecture(name: string): ReaError {
  return new ReaError("invalid_request", {
    message: "The file holds one image, and it is of another architecture. Leave architecture out or name the right one.",
    details: { operation: "inspect_signature", issues: [{ path: "architecture", reason: "invalid_value", valid_keys: [name] }] },
  });
}

function* elfFacts(source: ByteSource, findings: Findings): Steps<NonNullable<Result["elf"]>> {
  const appended = yield* appendedSignature(source, findings);
  return { signed: appended !== undefined, appended: appended === undefined ? null : mutable(appended) };
}

type Mutable<T> = T extends object ? { -readonly [K in keyof T]: Mutable<T[K]> } : T;

/** Results are lists of the contract's kind, which are not read-only. */
function mutable<T extends object>(value: T): Mutable<T>;
function mutable(value: object): object {
  return structuredClone(value);
}
