import type { ImageSymbol, ImportedSymbol, Mitigation } from "../image.js";
import type { LoadConfig } from "./load-config.js";
import type { PeFile } from "./pe-file.js";

/** What the mitigations of a PE file are read from. */
export interface MitigationInputs {
  readonly file: PeFile;
  readonly loadConfig: LoadConfig | undefined;
  readonly extendedCharacteristics: number | undefined;
  readonly symbols: readonly ImageSymbol[];
  readonly imports: readonly ImportedSymbol[];
}

type State = Mitigation["state"];

const relocationsStripped = 0x0001;
const highEntropy = 0x0020;
const dynamicBase = 0x0040;
const nxCompatible = 0x0100;
const noSeh = 0x0400;
const guardCf = 0x4000;
const cetCompatible = 0x1;
const cfInstrumented = 0x100;

export function peMitigations(inputs: MitigationInputs): readonly Mitigation[] {
  const { file } = inputs;
  const flags = file.headers.dllCharacteristics;
  const aslr = aslrState(file);
  return [
    mitigation("pie", "not_applicable", "PE images move by base relocations; see aslr"),
    aslr,
    highEntropyState(file, aslr.state),
    mitigation("nx", on(flags & nxCompatible), "IMAGE_DLLCHARACTERISTICS_NX_COMPAT"),
    mitigation("dep", on(flags & nxCompatible), "IMAGE_DLLCHARACTERISTICS_NX_COMPAT"),
    guardState(inputs),
    mitigation("cfi", "not_applicable", "control-flow integrity of PE images is guard_cf"),
    cetState(inputs),
    safeSehState(inputs),
    canaryState(inputs),
    mitigation("fortify", "not_applicable", "no fortified library functions on this platform"),
    mitigation("relro", "not_applicable", "a feature of ELF"),
    mitigation("hardened_runtime", "not_applicable", "a feature of Mach-O"),
    mitigation("library_validation", "not_applicable", "a feature of Mach-O"),
    strippedState(file),
  ];
}

function mitigation(name: Mitigation["name"], state: State, basis: string): Mitigation {
  return { name, state, basis };
}

function on(bits: number): State {
  return bits !== 0 ? "enabled" : "disabled";
}

function aslrState(file: PeFile): Mitigation {
  const { dllCharacteristics, characteristics } = file.headers;
  if ((dllCharacteristics & dynamicBase) === 0) return mitigation("aslr", "disabled", "IMAGE_DLLCHARACTERISTICS_DYNAMIC_BASE is not set");
  if ((characteristics & relocationsStripped) !== 0) return mitigation("aslr", "disabled", "dynamic base is set but IMAGE_FILE_RELOCS_STRIPPED too");
  return mitigation("aslr", "enabled", "IMAGE_DLLCHARACTERISTICS_DYNAMIC_BASE");
}

function highEntropyState(file: PeFile, aslr: State): Mitigation {
  if (!file.headers.plus) return mitigation("high_entropy_aslr", "not_applicable", "a 32-bit image");
  const set = (file.headers.dllCharacteristics & highEntropy) !== 0;
  return mitigation("high_entropy_aslr", set && aslr === "enabled" ? "enabled" : "disabled", "IMAGE_DLLCHARACTERISTICS_HIGH_ENTROPY_VA with aslr");
}

function guardState({ file, loadConfig }: MitigationInputs): Mitigation {
  const flagged = (file.headers.dllCharacteristics & guardCf) !== 0;
  const instrumented = ((loadConfig?.guardFlags ?? 0) & cfInstrumented) !== 0;
  const basis = "IMAGE_DLLCHARACTERISTICS_GUARD_CF and GuardFlags of the load configuration";
  if (flagged && instrumented) return mitigation("guard_cf", "enabled", basis);
  return mitigation("guard_cf", flagged ? "partial" : "disabled", basis);
}

function cetState({ file, extendedCharacteristics }: MitigationInputs): Mitigation {
  const { architecture } = file;
  if (architecture !== "x86" && architecture !== "x86_64") return mitigation("cet", "not_applicable", "shadow stacks are a feature of x86 processors");
  return mitigation("cet", on((extendedCharacteristics ?? 0) & cetCompatible), "IMAGE_DLLCHARACTERISTICS_EX_CET_COMPAT of the debug directory");
}

function safeSehState({ file, loadConfig }: MitigationInputs): Mitigation {
  if (file.architecture !== "x86") return mitigation("safe_seh", "not_applicable", "handlers are registered in tables on this machine");
  if ((file.headers.dllCharacteristics & noSeh) !== 0) return mitigation("safe_seh", "enabled", "IMAGE_DLLCHARACTERISTICS_NO_SEH: no handler is accepted");
  const table = (loadConfig?.safeSehTable ?? 0n) !== 0n;
  return mitigation("safe_seh", table ? "enabled" : "disabled", "handler table of the load configuration");
}

const canaryNames: ReadonlySet<string> = new Set(["__stack_chk_fail", "__stack_chk_guard", "__security_check_cookie", "___stack_chk_fail"]);

function canaryState({ loadConfig, symbols, imports }: MitigationInputs): Mitigation {
  if ((loadConfig?.securityCookie ?? 0n) !== 0n) return mitigation("canary", "enabled", "security cookie of the load configuration");
  const named = imports.some(({ name }) => name !== undefined && canaryNames.has(name)) || symbols.some(({ name }) => canaryNames.has(name));
  if (named) return mitigation("canary", "enabled", "stack protector functions among the symbols");
  if (symbols.length > 0) return mitigation("canary", "disabled", "no security cookie and no stack protector among the symbols");
  return mitigation("canary", "unknown", "no security cookie is declared and the file has no symbols to look at");
}

function strippedState(file: PeFile): Mitigation {
  const present = file.headers.symbolTableOffset !== 0 && file.headers.symbolCount > 0;
  return mitigation("stripped", present ? "disabled" : "enabled", "COFF symbol table of the file header");
}
