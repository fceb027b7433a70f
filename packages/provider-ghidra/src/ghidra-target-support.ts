import type { Target, TargetCode, TargetSupport } from "@rea/provider";
import type { GhidraHost } from "./ghidra-host.js";

const formats = ["elf", "pe", "mach-o"];

/** Whether Ghidra can be given a target, and if not, the first reason why. */
export function ghidraTargetSupport(target: Target, { platform }: GhidraHost): TargetSupport {
  const diagnostics = { kind: target.kind, format: target.format, architecture: target.architecture };
  const refuse = (code: TargetCode, reason: string): TargetSupport => ({ status: "unsupported", code, reason, diagnostics });
  if (target.kind !== "executable") {
    return refuse("target_kind_unsupported", "Ghidra is given executables only.");
  }
  if (target.raw !== null) {
    return refuse("target_format_unsupported", "Ghidra is given files with a known header only; the embedded provider reads raw code.");
  }
  if (target.format === "mach-o-universal") {
    return refuse("target_format_unsupported", "Ghidra is given one slice, not a universal file. Extract the slice and open that, or use the embedded provider.");
  }
  if (!formats.includes(target.format)) {
    return refuse("target_format_unsupported", "Ghidra is given ELF, PE and Mach-O executables.");
  }
  if (platform === "win32" && target.format !== "pe") {
    return refuse("target_format_unsupported", "On Windows Ghidra is given PE executables only.");
  }
  if (target.managed && platform === "win32") {
    return refuse("managed_target_unsupported", "The executable holds managed code; use the managed-code tools.");
  }
  if (target.role === "non-executable") {
    return refuse("target_role_unsupported", "The file holds no code to analyse.");
  }
  return { status: "supported", diagnostics };
}
