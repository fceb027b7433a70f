import type { Target, TargetCode, TargetSupport } from "@rea/provider";
import { supportedArchitectures } from "./disassembler/load-disassembler.js";

const formats = ["elf", "pe", "mach-o", "mach-o-universal"];
const decoded: readonly string[] = supportedArchitectures;

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
  if (!decoded.includes(target.raw?.architecture ?? target.architecture ?? "")) {
    return refuse("architecture_unsupported", `The embedded engine decodes ${decoded.join(", ")}.`);
  }
  if (target.raw?.endian === "big") {
    return refuse("architecture_unsupported", "The embedded engine decodes little-endian code only.");
  }
  return { status: "supported", diagnostics };
}
