import { coverageOf, formatAddress, type OperationParams, type OperationResult } from "@rea/core";
import { AnalyzedProgram } from "../analysis/analyzed-program.js";
import { fingerprintFunction, type FingerprintSource } from "../fingerprint/fingerprint-function.js";
import { Hash64 } from "../fingerprint/hash64.js";
import type { Program } from "../program.js";
import { answer, type Answer } from "./answer.js";
import { codeOmissions, functionConfidence, omissionSentences } from "./code-coverage.js";
import { demangledMember } from "./demangled-names.js";
import type { ProgramQuery } from "./query.js";
import { shownName } from "./shown-text.js";

type Fingerprints = OperationResult<"fingerprint_functions">;

/** What the functions of a program are like, a page of them, by address. */
export function fingerprintFunctions(query: ProgramQuery, params: OperationParams<"fingerprint_functions">): Answer<Fingerprints> {
  const { program } = query;
  const source = sourceOf(query);
  const page = program.functions.slice(params.offset, params.offset + params.limit);
  const end = params.offset + page.length;
  const functions = page.map((fn, index) => {
    if (index % 64 === 0) query.checkpoint();
    const { name } = query.names.ofFunction(fn);
    return {
      address: formatAddress(program.toVa(fn.entry)),
      name: fn.nameSource === "generated" ? null : shownName(name),
      ...demangledMember(name),
      external: fn.external,
      thunk: fn.thunk,
      size: fn.size,
      ...fingerprintFunction(fn, source),
    };
  });
  const limitations = [...new Set([...program.coverage.limitations, ...omissionSentences(program)])];
  const result = {
    functions,
    total: program.functions.length,
    next_offset: end < program.functions.length ? end : null,
    coverage: coverageOf(codeOmissions(program)),
    limitations,
  };
  return answer(result, { confidence: functionConfidence(page), limitations });
}

const sources = new WeakMap<Program, FingerprintSource>();

/** Pages of one program share what is looked up by address. */
function sourceOf(query: ProgramQuery): FingerprintSource {
  const known = sources.get(query.program);
  if (known !== undefined) return known;
  const made = makeSource(query);
  sources.set(query.program, made);
  return made;
}

function makeSource({ program, image, checkpoint }: ProgramQuery): FingerprintSource {
  if (!(program instanceof AnalyzedProgram)) throw new Error("Fingerprints need an analysed program.");
  const { memory, disassembler } = program.parts;
  checkpoint();
  const strings = new Map(program.strings.map((record) => [record.rva, record]));
  const hashes = new Map<number, number>();
  const positions = new Map(program.functions.map(({ entry }, index) => [entry, index]));
  const imports = new Map<number, number>();
  for (const { name, stubs, slots } of image.imports().items) {
    if (name === undefined) continue;
    const hash = new Hash64().text(name).short();
    for (const va of [...stubs, ...slots]) {
      const rva = program.toRva(va);
      if (rva !== undefined) imports.set(rva, hash);
    }
  }
  return {
    program,
    architecture: disassembler.architecture,
    disassembler,
    read: (rva, length) => memory.read(rva, length),
    stringAt: (rva) => {
      const hash = hashes.get(rva);
      if (hash !== undefined) return hash;
      const record = strings.get(rva);
      if (record === undefined) return undefined;
      const made = new Hash64().text(record.text()).short();
      hashes.set(rva, made);
      return made;
    },
    importAt: (rva) => imports.get(rva),
    positionOf: (entry) => positions.get(entry),
  };
}
