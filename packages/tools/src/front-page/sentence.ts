import type { Inspection } from "./inspection.js";
import type { Linkage } from "./linkage.js";

const formatNames = new Map([
  ["elf", "ELF"],
  ["pe", "PE"],
  ["mach-o", "Mach-O"],
  ["mach-o-universal", "universal Mach-O"],
]);

// ELF gABI e_type, PE/COFF §2.3.2 characteristics, <mach-o/loader.h> filetype.
const kinds = new Map([
  ["ET_EXEC", "executable"],
  ["ET_REL", "object file"],
  ["ET_CORE", "core dump"],
  ["IMAGE_FILE_EXECUTABLE_IMAGE", "executable"],
  ["DLL", "library"],
  ["MH_EXECUTE", "executable"],
  ["MH_OBJECT", "object file"],
  ["MH_DYLIB", "library"],
  ["MH_BUNDLE", "loadable bundle"],
  ["MH_DYLINKER", "dynamic linker"],
  ["MH_CORE", "core dump"],
  ["MH_KEXT_BUNDLE", "kernel extension"],
  ["MH_DSYM", "debug-symbol file"],
]);

/** "A 64-bit little-endian ELF executable for x86_64, probably built with GCC 12.2.0, dynamically linked, stripped." */
export function sentenceOf(inspection: Inspection, linkage: Linkage): string {
  const { header, architecture } = inspection;
  const width = header === undefined ? "" : `${String(header.class_bits)}-bit ${header.endianness}-endian `;
  const format = formatNames.get(inspection.format) ?? inspection.format;
  const machine = architecture ?? "an unknown architecture";
  const start = `${width}${format} ${kindOf(inspection)} for ${machine}`;
  return `${/^[aeiou8]/i.test(start) ? "An" : "A"} ${[start, ...remarks(inspection, linkage)].join(", ")}.`;
}

function kindOf(inspection: Inspection): string {
  const { header } = inspection;
  if (header === undefined) return "file";
  if (header.type === "ET_DYN") return sharedObjectKind(inspection);
  if (header.type.includes("DLL")) return "library";
  return kinds.get(header.type) ?? "file";
}

/** ET_DYN serves both: a loader or the PIE flag makes it a program. */
function sharedObjectKind({ header, mitigations }: Inspection): string {
  const pie = mitigations?.items.find(({ name }) => name === "pie")?.state;
  if (pie === "enabled") return "position-independent executable";
  return (header?.interpreter ?? null) === null ? "shared library" : "position-independent executable";
}

function remarks(inspection: Inspection, linkage: Linkage): string[] {
  const found: string[] = [];
  const toolchain = inspection.build_ids?.toolchain ?? null;
  if (toolchain !== null) {
    const version = toolchain.version === null ? "" : ` ${toolchain.version}`;
    const language = toolchain.language === null ? "" : ` (${toolchain.language})`;
    found.push(`probably built with ${toolchain.name}${version}${language}`);
  }
  if (linkage.kind !== "unknown") found.push(linkage.kind === "static" ? "statically linked" : "dynamically linked");
  const stripped = inspection.mitigations?.items.find(({ name }) => name === "stripped")?.state;
  if (stripped === "enabled") found.push("stripped");
  if (stripped === "disabled") found.push("with symbols");
  if (inspection.overlay?.present === true) found.push("with data appended after its end");
  return found;
}
