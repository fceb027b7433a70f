import type { ImageSymbol, ImportedSymbol, Mitigation } from "../image.js";
import { fileTypes, isArm64e } from "./constants.js";
import type { MachOFile } from "./macho-file.js";

/** What the mitigations of a Mach-O image are read from. */
export interface MitigationInputs {
  readonly file: MachOFile;
  readonly symbols: readonly ImageSymbol[];
  readonly imports: readonly ImportedSymbol[];
  /** Flags of the code directory; undefined when the image is not signed. */
  readonly signatureFlags: number | undefined;
}

type State = Mitigation["state"];

const pieFlag = 0x200000;
const stackExecution = 0x20000;
const runtimeFlag = 0x10000;
const libraryValidationFlag = 0x2000;

export function machoMitigations(inputs: MitigationInputs): readonly Mitigation[] {
  const { file } = inputs;
  const pie = pieState(file);
  return [
    { name: "pie", ...pie },
    { name: "aslr", ...pie },
    mitigation("high_entropy_aslr", "not_applicable", "a feature of PE"),
    nxState(file),
    mitigation("dep", "not_applicable", "a feature of PE; see nx"),
    canaryState(inputs),
    fortifyState(inputs),
    isArm64e(file.header.cpuType, file.header.cpuSubtype)
      ? mitigation("cfi", "enabled", "arm64e: pointers are authenticated")
      : mitigation("cfi", "unknown", "the file does not record control-flow integrity for this machine"),
    mitigation("relro", "not_applicable", "a feature of ELF"),
    mitigation("cet", "not_applicable", "no marking exists in this format"),
    mitigation("guard_cf", "not_applicable", "a feature of PE"),
    mitigation("safe_seh", "not_applicable", "a feature of PE"),
    signatureState("hardened_runtime", inputs.signatureFlags, runtimeFlag, "CS_RUNTIME of the code directory"),
    signatureState("library_validation", inputs.signatureFlags, libraryValidationFlag, "CS_REQUIRE_LV of the code directory"),
    strippedState(inputs),
  ];
}

function mitigation(name: Mitigation["name"], state: State, basis: string): Mitigation {
  return { name, state, basis };
}

function pieState(file: MachOFile): { readonly state: State; readonly basis: string } {
  switch (file.header.fileType) {
    case fileTypes.execute:
      return { state: (file.header.flags & pieFlag) !== 0 ? "enabled" : "disabled", basis: "MH_PIE" };
    case fileTypes.dylib:
    case fileTypes.bundle:
    case fileTypes.dylinker:
    case fileTypes.kext:
      return { state: "enabled", basis: "an image of this type is always placed by the loader" };
    default:
      return { state: "not_applicable", basis: "the file is not loaded by itself" };
  }
}

function nxState(file: MachOFile): Mitigation {
  if (file.header.fileType !== fileTypes.execute) return mitigation("nx", "not_applicable", "decided by the main executable");
  const allowed = (file.header.flags & stackExecution) !== 0;
  return mitigation("nx", allowed ? "disabled" : "enabled", "MH_ALLOW_STACK_EXECUTION");
}

const canaryNames: ReadonlySet<string> = new Set(["___stack_chk_fail", "___stack_chk_guard"]);

function canaryState({ imports, symbols }: MitigationInputs): Mitigation {
  const named = imports.some(({ name }) => name !== undefined && canaryNames.has(name)) || symbols.some(({ name }) => canaryNames.has(name));
  const basis = "stack protector functions among imports and symbols";
  if (named) return mitigation("canary", "enabled", basis);
  // A static image without symbols could hold the function under no name.
  return imports.length > 0 ? mitigation("canary", "disabled", basis) : mitigation("canary", "unknown", "the image imports nothing");
}

function fortifyState({ imports }: MitigationInputs): Mitigation {
  const checked = imports.some(({ name }) => name !== undefined && /^___\w+_chk$/.test(name) && !canaryNames.has(name));
  if (checked) return mitigation("fortify", "enabled", "checked library functions among the imports");
  return mitigation("fortify", "unknown", "no checked library function is imported; code without such calls looks the same");
}

function signatureState(name: "hardened_runtime" | "library_validation", flags: number | undefined, bit: number, basis: string): Mitigation {
  if (flags === undefined) return mitigation(name, "disabled", "the image carries no code directory");
  return mitigation(name, (flags & bit) !== 0 ? "enabled" : "disabled", basis);
}

function strippedState({ symbols }: MitigationInputs): Mitigation {
  const local = symbols.some(({ binding, defined, table, name }) => binding === "local" && defined && table === "nlist" && !name.startsWith("radr://"));
  return mitigation("stripped", local ? "disabled" : "enabled", "local symbols in LC_SYMTAB");
}
