import type { Mitigation } from "../image.js";
import { dt, type DynamicInfo } from "./dynamic.js";
import type { ElfFile } from "./elf-file.js";
import { elfTypes } from "./file-header.js";
import { em } from "./machines.js";
import type { ElfNote } from "./notes.js";
import { programTypes } from "./program-headers.js";
import { sectionTypes } from "./section-headers.js";
import type { ElfSymbol } from "./symbols.js";

export interface MitigationInputs {
  readonly file: ElfFile;
  readonly dynamic: DynamicInfo;
  readonly notes: readonly ElfNote[];
  readonly symbols: readonly ElfSymbol[];
}

type Finding = Omit<Mitigation, "name">;

/** What the headers, notes and symbols say about hardening; each answer names its basis. */
export function elfMitigations(inputs: MitigationInputs): readonly Mitigation[] {
  return [
    { name: "pie", ...positionIndependence(inputs) },
    { name: "nx", ...noExecute(inputs) },
    { name: "relro", ...relro(inputs) },
    { name: "canary", ...canary(inputs) },
    { name: "fortify", ...fortify(inputs) },
    { name: "cfi", ...controlFlowIntegrity(inputs) },
    { name: "cet", ...branchProtection(inputs) },
    { name: "stripped", ...stripped(inputs) },
  ];
}

function linked({ file }: MitigationInputs): boolean {
  return file.header.type === elfTypes.executable || file.header.type === elfTypes.dynamic;
}

const notLinked: Finding = { state: "not_applicable", basis: "The file is not a linked program or library." };
const flagPie = 0x0800_0000n;

function positionIndependence({ file, dynamic }: MitigationInputs): Finding {
  if (file.header.type === elfTypes.executable) return { state: "disabled", basis: "e_type is ET_EXEC." };
  if (file.header.type !== elfTypes.dynamic) return notLinked;
  if (((dynamic.value(dt.flags1) ?? 0n) & flagPie) !== 0n) return { state: "enabled", basis: "e_type is ET_DYN and DT_FLAGS_1 has DF_1_PIE." };
  const interpreted = file.programs.some((program) => program.type === programTypes.interpreter);
  if (interpreted) return { state: "enabled", basis: "e_type is ET_DYN and PT_INTERP names a loader." };
  return { state: "not_applicable", basis: "A shared library is position-independent by nature." };
}

function noExecute(inputs: MitigationInputs): Finding {
  if (!linked(inputs)) return notLinked;
  const stack = inputs.file.programs.find((program) => program.type === programTypes.stack);
  if (stack === undefined) return { state: "disabled", basis: "There is no PT_GNU_STACK header; loaders then make the stack executable." };
  const executable = (stack.flags & 1) !== 0;
  return { state: executable ? "disabled" : "enabled", basis: `PT_GNU_STACK ${executable ? "has" : "lacks"} PF_X.` };
}

function relro(inputs: MitigationInputs): Finding {
  if (!linked(inputs)) return notLinked;
  const { file, dynamic } = inputs;
  if (!file.programs.some((program) => program.type === programTypes.relro)) return { state: "none", basis: "There is no PT_GNU_RELRO header." };
  const declared = file.programs.find((program) => program.type === programTypes.dynamic);
  if (declared !== undefined && declared.offset + declared.fileSize > file.reader.size) {
    return { state: "unknown", basis: "PT_GNU_RELRO is present, but the dynamic array that tells of binding lies past the file." };
  }
  if (!dynamic.present) return { state: "full", basis: "PT_GNU_RELRO is present and nothing is bound lazily in a static program." };
  const now = dynamic.value(dt.bindNow) !== undefined || ((dynamic.value(dt.flags) ?? 0n) & 8n) !== 0n || ((dynamic.value(dt.flags1) ?? 0n) & 1n) !== 0n;
  if (now) return { state: "full", basis: "PT_GNU_RELRO is present and symbols are bound at start." };
  if (dynamic.value(dt.jumpRel) === undefined) return { state: "full", basis: "PT_GNU_RELRO is present and no slot is bound lazily." };
  return { state: "partial", basis: "PT_GNU_RELRO is present, but symbols are bound lazily." };
}

function bySymbol({ symbols, file }: MitigationInputs, test: (name: string) => boolean, present: string, absent: string): Finding {
  if (symbols.some((symbol) => test(symbol.name))) return { state: "enabled", basis: present };
  const named = file.sections.some((section) => section.type === sectionTypes.symbols);
  const dynamicOnly = symbols.some((symbol) => symbol.name !== "" && symbol.section === 0);
  if (named || dynamicOnly) return { state: "disabled", basis: absent };
  return { state: "unknown", basis: "The file has no symbols to tell by." };
}

function canary(inputs: MitigationInputs): Finding {
  const names = new Set(["__stack_chk_fail", "__stack_chk_guard", "__stack_chk_fail_local", "__stack_smash_handler", "__intel_security_cookie"]);
  return bySymbol(inputs, (name) => names.has(name), "A stack-protector symbol is present.", "No stack-protector symbol is present.");
}

function fortify(inputs: MitigationInputs): Finding {
  const checked = (name: string): boolean => /^__\w+_chk$/.test(name) && name !== "__stack_chk";
  return bySymbol(inputs, checked, "Checked variants of library functions (`__*_chk`) are present.", "No checked variant of a library function (`__*_chk`) is present.");
}

function controlFlowIntegrity(inputs: MitigationInputs): Finding {
  const test = (name: string): boolean => name === "__cfi_check" || name === "__cfi_slowpath" || name === "__cfi_slowpath_diag" || name.startsWith("__kcfi_typeid_");
  if (inputs.symbols.some((symbol) => test(symbol.name))) return { state: "enabled", basis: "A control-flow-integrity symbol of the compiler runtime is present." };
  return { state: "unknown", basis: "No control-flow-integrity symbol is present; checks inlined within one module leave none." };
}

const propertyAnd: { readonly [machine: number]: number | undefined } = {
  [em.x86]: 0xc0000002,
  [em.x86_64]: 0xc0000002,
  [em.aarch64]: 0xc0000000,
};

/** Bits of the AND property: x86 IBT and SHSTK, AArch64 BTI and PAC. */
function branchProtection(inputs: MitigationInputs): Finding {
  const { machine } = inputs.file.header;
  const kind = propertyAnd[machine];
  if (kind === undefined || machine === em.aarch64) return { state: "not_applicable", basis: aarch64Basis(inputs, kind) };
  const bits = propertyBits(inputs, kind) & 3;
  if (bits === 3) return { state: "enabled", basis: "The GNU property note marks IBT and SHSTK." };
  if (bits === 0) return { state: "disabled", basis: "No GNU property note marks IBT or SHSTK." };
  return { state: "partial", basis: `The GNU property note marks ${bits === 1 ? "IBT only" : "SHSTK only"}.` };
}

function aarch64Basis(inputs: MitigationInputs, kind: number | undefined): string {
  if (kind === undefined) return "The processor has no such mechanism.";
  const bits = propertyBits(inputs, kind);
  const marks = [...((bits & 1) === 0 ? [] : ["BTI"]), ...((bits & 2) === 0 ? [] : ["PAC"])];
  return `AArch64 has BTI and PAC instead; the GNU property note marks ${marks.length === 0 ? "neither" : marks.join(" and ")}.`;
}

function propertyBits(inputs: MitigationInputs, wanted: number): number {
  const { endian, bits } = inputs.file.header;
  const little = endian === "little";
  for (const note of inputs.notes) {
    if (note.owner !== "GNU" || note.type !== 5) continue;
    const view = new DataView(note.description.buffer, note.description.byteOffset, note.description.byteLength);
    for (let at = 0; at + 12 <= view.byteLength; ) {
      const size = view.getUint32(at + 4, little);
      if (view.getUint32(at, little) === wanted && size === 4) return view.getUint32(at + 8, little);
      at += 8 + Math.ceil(size / (bits / 8)) * (bits / 8);
    }
  }
  return 0;
}

function stripped(inputs: MitigationInputs): Finding {
  const present = inputs.file.sections.some((section) => section.type === sectionTypes.symbols && section.size > 0);
  if (inputs.file.sections.length === 0 && inputs.file.header.sections.count > 0) {
    return { state: "unknown", basis: "Section headers are declared, but none can be read." };
  }
  return present
    ? { state: "disabled", basis: "A static symbol table is present." }
    : { state: "enabled", basis: "There is no static symbol table." };
}
