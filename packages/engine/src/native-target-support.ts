import type { Target, TargetCode, TargetSupport } from "@rea/provider";
import { supportedArchitectures, supportsArchitecture } from "./disassembler/load-disassembler.js";

const formats = ["elf", "pe", "mach-o", "mach-o-universal"];

/** Whether the embedded engine can analyse a target, and if not, the first reason why. */
export function nativeTargetSupport(target: Target): TargetSupport {
  const diagnostics = { kind: target.kind, format: target.format, architecture: target.architecture };
  const refuse = (code: TargetCode, reason: string): TargetSupport => ({ status: "unsupported", code, reason, diagnostics });
  if (target.kind !== "executable") {
    return refuse("target_kind_unsupported", "The embedded engine analyses executables and raw code only.");
  }
  if (target.raw === null && !formats.includes(target.format)) {
    return refuse("target_format_unsupported", "The embedded engine reads ELF, PE and Mach-O executables.");
  }
  if (target.managed) {
    return refuse("managed_target_unsupported", "The executable holds managed code; use the managed-code tools.");
  }
  if (target.role === "non-executable") {
    return refuse("target_role_unsupported", "The file holds no code to analyse.");
  }
  const wanted = supportedArchitectures.find((known) => known === (target.raw?.architecture ?? target.architecture));
  if (wanted === undefined) {
    return refuse("architecture_unsupported", `The embedded engine decodes ${supportedArchitectures.join(", ")}.`);
  }
  // The byte order of a file shows when it is read; only for raw code it is given.
  if (target.raw !== null && !supportsArchitecture(wanted, target.raw.endian)) {
    return refuse("architecture_unsupported", `The embedded engine does not decode ${wanted} code in ${target.raw.endian}-endian byte order.`);
  }
  return { status: "supported", diagnostics };
}
