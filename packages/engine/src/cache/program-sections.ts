import type { BinaryImage } from "@rea/binary";
import { AnalyzedProgram, type ProgramParts } from "../analysis/analyzed-program.js";
import { CodeMap } from "../analysis/code-map.js";
import { MemoryMap } from "../analysis/memory-map.js";
import { pointerTargets, relocatedRanges } from "../analysis/pointers.js";
import { collectStrings } from "../analysis/strings.js";
import { WorkBounds } from "../analysis/work-bounds.js";
import type { Disassembler } from "../disassembler/disassembler.js";
import type { StringRecord } from "../program.js";
import { readCode, writeCode } from "./code-sections.js";
import { readFunctions, writeFunctions } from "./function-sections.js";
import { readNames, readStrings, writeNames, writeStrings } from "./name-sections.js";
import { requireRows, SectionReader, SectionWriter } from "./sections.js";
import {
  readCoverage,
  readImportPlaces,
  readReferences,
  readSwitches,
  writeCoverage,
  writeImportPlaces,
  writeReferences,
  writeSwitches,
} from "./table-sections.js";

/** Changes whenever the columns do. */
export const sectionsVersion = 3;

/**
 * What the analysis found, as columns. What the image alone gives (ranges, bytes, decoders) is not among them; strings
 * are when they are given.
 */
export function writeProgram(parts: ProgramParts, strings: readonly StringRecord[] | undefined): SectionWriter {
  const { image: _image, memory: _memory, disassembler: _disassembler, strings: _strings, ...found } = parts;
  const { absolute, pointers, code, functions, references, names, imports, switches, coverage, ...rest } = found;
  // A part that is added does not compile before it is kept here or named above.
  rest satisfies Record<string, never>;
  const writer = new SectionWriter();
  writer.json("image", { absolute, strings: strings !== undefined });
  writer.numbers("pt.cell", pointers.cells);
  writer.numbers("pt.to", pointers.targets);
  writeCode(writer, code);
  writeFunctions(writer, functions);
  writeReferences(writer, references);
  writeNames(writer, names);
  writeImportPlaces(writer, imports);
  writeSwitches(writer, switches);
  writeCoverage(writer, coverage);
  if (strings !== undefined) writeStrings(writer, strings);
  return writer;
}

/**
 * The program that `writeProgram` was given; `hasStrings` when it was given those as well. `disassembler` is fresh; `bounds`
 * watch over what is computed when it is asked for. Throws
 * `DamagedCache` when the body is none that was written for this image.
 */
export function readProgram(
  body: Uint8Array,
  image: BinaryImage,
  disassembler: Disassembler,
  bounds = new WorkBounds({}),
): { readonly program: AnalyzedProgram; readonly hasStrings: boolean } {
  const plain = disassembler.prepareImage?.(image) ?? image;
  const reader = new SectionReader(body);
  const { absolute, hasStrings } = readHead(reader);
  const pointers = { cells: reader.numbers("pt.cell"), targets: reader.numbers("pt.to") };
  requireRows(pointers.cells.length, pointers.targets);
  const memory = new MemoryMap(image);
  const code = new CodeMap(memory, disassembler, { absolute, relocated: relocatedRanges(pointers.cells) });
  readCode(reader, code);
  const functions = readFunctions(reader);
  const references = readReferences(reader);
  const names = readNames(reader);
  const imports = readImportPlaces(reader);
  const switches = readSwitches(reader);
  const coverage = readCoverage(reader);
  const strings = hasStrings
    ? readStrings(reader)
    : () => collectStrings({ image: plain, memory, code, references, pointers: pointerTargets(pointers), bounds });
  reader.finish();
  const found = { absolute, pointers, functions, references, names, imports, switches, coverage, strings };
  return { program: new AnalyzedProgram({ image, memory, code, disassembler, ...found }), hasStrings };
}

function readHead(reader: SectionReader): { readonly absolute: boolean; readonly hasStrings: boolean } {
  const head = reader.json("image");
  const has = (key: string): boolean => typeof head === "object" && head !== null && Object.entries(head).some(([name, value]) => name === key && value === true);
  return { absolute: has("absolute"), hasStrings: has("strings") };
}
