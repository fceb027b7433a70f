import type { Target, TargetCode, TargetSupport } from "@rea/provider";

const formats = ["elf", "pe", "mach-o", "mach-o-universal"];
const decoded = ["arm64", "x86", "x86_64"];

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
  return { status: "supported", diagnostics };
}
