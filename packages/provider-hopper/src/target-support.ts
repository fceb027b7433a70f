import type { Target, TargetCode, TargetSupport } from "@rea/provider";
import { architectureFlag } from "./loader-arguments.js";

const formats: readonly string[] = ["elf", "pe", "mach-o", "mach-o-universal"];

/** Whether Hopper can be asked about a target, and if not, the first reason why. */
export function hopperTargetSupport(target: Target): TargetSupport {
  const diagnostics = { kind: target.kind, format: target.format, architecture: target.architecture };
  const refuse = (code: TargetCode, reason: string): TargetSupport => ({ status: "unsupported", code, reason, diagnostics });
  if (target.kind === "database" && target.format === "hopper") return { status: "supported", diagnostics };
  if (target.kind !== "executable") return refuse("target_kind_unsupported", "Hopper opens executables and its own databases.");
  if (target.raw !== null || !formats.includes(target.format)) {
    return refuse("target_format_unsupported", "Hopper is asked about ELF, PE and Mach-O executables.");
  }
  if (target.managed) return refuse("managed_target_unsupported", "The executable holds managed code; use the managed-code tools.");
  if (target.role === "non-executable") return refuse("target_role_unsupported", "The file holds no code to analyse.");
  if (architectureFlag(target.architecture) === undefined) {
    return refuse("architecture_unsupported", "Hopper is asked about x86, x86_64, arm and arm64 code.");
  }
  return { status: "supported", diagnostics };
}
