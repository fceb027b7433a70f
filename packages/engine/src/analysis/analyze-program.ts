import type { BinaryImage } from "@rea/binary";
import { ReaError } from "@rea/core";
import type { Disassembler } from "../disassembler/disassembler.js";
import { loadDisassembler, supportsArchitecture } from "../disassembler/load-disassembler.js";
import { AnalyzedProgram, importPlaces } from "./analyzed-program.js";
import { CodeMap } from "./code-map.js";
import { describeCoverage } from "./coverage.js";
import { discoverFunctions } from "./discover.js";
import { functionRecords } from "./functions.js";
import { jumpTableResolver } from "./jump-tables.js";
import { MemoryMap } from "./memory-map.js";
import { chooseNames, collectNames } from "./names.js";
import { pointerTargets, readPointers, withValues } from "./pointers.js";
import { functionTable, nameTable } from "./range-index.js";
import { collectSeeds } from "./seeds.js";
import { collectStrings } from "./strings.js";
import { valuePointers } from "./value-pointers.js";
import { WorkBounds, type AnalysisOptions } from "./work-bounds.js";

/**
 * Analyses an image: finds functions, gives each its instructions, collects references. The same image gives the same
 * program, whatever the timing. Throws `cancelled` when the signal or `shouldStop` says so, and `capability_unavailable`
 * when the architecture is none the engine decodes; damage and reached bounds show in `coverage` instead.
 */
export async function analyzeProgram(image: BinaryImage, options: AnalysisOptions = {}): Promise<AnalyzedProgram> {
  const disassembler = await disassemblerFor(image);
  const program = analyzeWith(image, disassembler, options);
  await disassembler.prepareText();
  return program;
}

/** A fresh disassembler for the image. Throws `capability_unavailable` when there is none. */
export async function disassemblerFor(image: BinaryImage): Promise<Disassembler> {
  const known = supportsArchitecture(image.architecture, image.endian);
  const disassembler = known ? await loadDisassembler(image.architecture, image.endian) : undefined;
  if (disassembler === undefined) throw unsupported();
  return disassembler;
}

function unsupported(): ReaError {
  return new ReaError("capability_unavailable", {
    message: "The engine does not decode the architecture of this target. list_architectures shows what the file holds.",
    details: { operation: "analyze_program", selection_reason: "unsupported" },
  });
}

/**
 * `analyzeProgram` with a disassembler at hand; computes without pause. Showing instructions of the result needs
 * `disassembler.prepareText` before.
 */
function analyzeWith(image: BinaryImage, disassembler: Disassembler, options: AnalysisOptions = {}): AnalyzedProgram {
  const bounds = new WorkBounds(options);
  const memory = new MemoryMap(image);
  const plain = disassembler.prepareImage?.(image) ?? image;
  const relocated = readPointers(plain, memory, bounds);
  const values = valuePointers(plain, memory, { known: relocated.targets, bounds });
  const pointers = withValues(relocated, values);
  // A file linked for base 0 is meant to be moved; its small constants are no addresses.
  const absolute = memory.base >= 0x1_0000n && !pointers.inCode;
  const code = new CodeMap(memory, disassembler, { absolute, relocated: pointers.relocated });
  const seeds = collectSeeds({ image: plain, memory, pointers: pointers.targets, isCode: (rva) => code.isCode(rva), bounds });
  const { bodies, references, explorer, functionsLeftOut } = discoverFunctions({
    memory,
    code,
    seeds,
    pointers,
    cellBytes: image.bits === 64 ? 8 : 4,
    bounds,
    resolve: jumpTableResolver({ disassembler, memory, code, seeds, is64: image.bits === 64, pointers: pointers.targets }),
  });
  const names = collectNames(plain, memory, { seeds, bounds });
  bounds.checkStop();
  const functions = functionRecords(bodies, {
    code,
    seeds,
    bounds,
    references,
    pointers: pointers.targets,
    names: chooseNames(names, bounds),
    neverReturns: (entry) => !explorer.returns(entry),
  });
  bounds.checkStop();
  return new AnalyzedProgram({
    image,
    memory,
    code,
    disassembler,
    absolute,
    pointers: pointers.columns,
    imports: importPlaces(seeds),
    functions: functionTable(functions, bounds),
    references,
    names: nameTable(names),
    switches: explorer.computed.resolved,
    strings: () => collectStrings({ image: plain, memory, code, references, pointers: pointerTargets(pointers.columns), bounds }),
    coverage: describeCoverage({
      memory,
      code,
      explorer,
      bodies,
      bounds,
      functionsLeftOut,
      values: { found: values.targets.size, leftOut: values.leftOut },
      limitations: disassembler.limitations,
      unmapped: image.segments().omissions,
      stubs: new Set(functions.filter(({ external }) => external).map(({ entry }) => entry)),
    }),
  });
}
