import type { Findings } from "../findings.js";
import type { BuildId } from "../image.js";
import { fixedName } from "../string-pool.js";
import type { PeFile } from "./pe-file.js";

const metadataSignature = 0x424a5342;

/** True when the CLR header directory is there: the file holds managed code or metadata (ECMA-335 §II.25.3.3). */
export function isManaged(file: PeFile): boolean {
  return file.directory("clr") !== undefined;
}

/** Version string of the metadata root (ECMA-335 §II.24.2.1) as the `managed` hint. */
export function managedHint(file: PeFile, findings: Findings): readonly BuildId[] {
  const directory = file.directory("clr");
  if (directory === undefined) return [];
  const offset = file.fileOffset(directory.rva);
  const version = findings.attempt("clr header", offset, () => metadataVersion(file, directory.rva));
  return [{ kind: "managed", value: version ?? "", detail: "CLR header present", file: { offset, size: directory.size } }];
}

function metadataVersion(file: PeFile, clrRva: number): string | undefined {
  const root = file.u32(clrRva + 8);
  if (file.u32(root) !== metadataSignature) return undefined;
  const length = Math.min(file.u32(root + 12), 255);
  return fixedName(file.reader.bytes(file.offsetOf(root + 16, length), length));
}
