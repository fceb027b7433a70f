import type { SubjectFormat } from "@rea/core";

/** Formats whose signatures are inside the file itself. Slices of universal files come by themselves. */
export function wantsInspection(format: SubjectFormat): boolean {
  return format === "pe" || format === "elf" || format === "mach-o";
}
