import { formatAddress, type FunctionCollection, type OperationParams, type OperationResult } from "@rea/core";
import type { BasicBlock, FunctionRecord } from "../program.js";
import { answer, type Answer } from "./answer.js";
import { functionConfidence, omissionSentences } from "./code-coverage.js";
import { givenAddress } from "./cursor.js";
import { collectionFacet, unavailable } from "./facets.js";
import { demangledMember } from "./demangled-names.js";
import { findProcedure } from "./find-procedure.js";
import { commentsOf, referencedNames, referencedStrings } from "./function-context.js";
import { maxScannedInstructions } from "./instructions.js";
import { listingLine } from "./listing.js";
import { classify, noSignatures } from "./procedures.js";
import type { ProgramQuery } from "./query.js";
import { incoming, outgoing, referenceItem } from "./references.js";
import { listValue, shownLines, shownName } from "./shown-text.js";

type Params = OperationParams<"analyze_function">;
type Dossier = OperationResult<"analyze_function">;

/** Everything known of one function in one reply; each collection and text pages on its own. */
export function analyzeFunction(query: ProgramQuery, params: Params): Answer<Dossier> {
  const { program } = query;
  const fn = findProcedure(query, params.procedure, "analyze_function");
  const starts = program.instructionStarts(fn);
  const scanned = starts.slice(0, maxScannedInstructions);
  const address = formatAddress(program.toVa(fn.entry));
  const limitations = limitationsOf(query, scanned.length < starts.length);
  const { name } = query.names.ofFunction(fn);
  const result = {
    procedure: {
      address,
      name: shownName(name),
      ...demangledMember(name),
      signature: null,
      locals: [],
      classification: classify(fn),
    },
    pseudocode: unavailable(
      "This provider does not produce pseudocode.",
      "Read the assembly facet with include_assembly, or bind a provider that decompiles with open_binary and provider_id.",
    ),
    assembly: assemblyFacet(query, fn, { params, scanned }),
    ...collections(query, fn, { params, scanned }),
    native_api: unavailable(
      "Calling conventions and types are not recovered by this provider.",
      "Bind a provider that recovers signatures with open_binary and provider_id.",
    ),
    instruction_scan: { scanned: scanned.length, truncated: scanned.length < starts.length },
    limitations,
  };
  return answer(result, { confidence: functionConfidence([fn]), at: givenAddress(address), limitations });
}

interface Scan {
  readonly params: Params;
  readonly scanned: readonly number[];
}

function collections(query: ProgramQuery, fn: FunctionRecord, { params, scanned }: Scan) {
  const { program } = query;
  const from = (key: FunctionCollection) => ({ offset: params.collection_offset?.[key] ?? 0, limit: params.limit });
  const named = (rva: number) => namedAddress(query, rva);
  const made = outgoing(program, fn, scanned);
  query.checkpoint();
  return {
    comments: collectionFacet(commentsOf(query, fn), from("comments"), ({ va, kind, text }) => {
      return { address: formatAddress(va), kind, text: shownLines(text) };
    }),
    callers: collectionFacet(program.callers(fn), from("callers"), named),
    callees: collectionFacet(program.callees(fn), from("callees"), named),
    incoming_references: collectionFacet(incoming(program, fn, scanned), from("incoming_references"), (reference) =>
      referenceItem(program, reference),
    ),
    outgoing_references: collectionFacet(made, from("outgoing_references"), (reference) => referenceItem(program, reference)),
    referenced_strings: collectionFacet(referencedStrings(query, made), from("referenced_strings"), ({ rva, text }) => {
      return { address: formatAddress(program.toVa(rva)), ...listValue(text) };
    }),
    referenced_names: collectionFacet(referencedNames(query, fn, made), from("referenced_names"), named),
    basic_blocks: collectionFacet(program.blocks(fn), from("basic_blocks"), (block) => blockItem(query, block)),
  };
}

function assemblyFacet(query: ProgramQuery, fn: FunctionRecord, { params, scanned }: Scan): Dossier["assembly"] {
  if (!params.include_assembly) {
    return unavailable("The listing was not asked for.", "Call again with include_assembly, or page read_function_instructions.");
  }
  const lines = scanned.map((rva, index) => {
    if (index % 1024 === 0) query.checkpoint();
    return listingLine(query, fn, rva);
  });
  const end = params.assembly_offset + params.max_instructions;
  const text = lines.slice(params.assembly_offset, end).join("\n");
  const truncated = end < lines.length;
  return {
    state: "available",
    value: {
      text,
      offset: params.assembly_offset,
      returned_chars: text.length,
      total_chars: lines.reduce((sum, line) => sum + line.length + 1, 0) - (lines.length > 0 ? 1 : 0),
      truncated,
      next_offset: truncated ? end : null,
    },
  };
}

function limitationsOf({ program, annotations }: ProgramQuery, cut: boolean): string[] {
  const limitations = [noSignatures, ...program.coverage.limitations, ...annotations.limitations()];
  if (cut) limitations.push(`Only the first ${String(maxScannedInstructions)} instructions were looked at.`);
  limitations.push(...omissionSentences(program));
  return [...new Set(limitations)];
}

function namedAddress({ program, names }: ProgramQuery, rva: number): { address: string; name: string | null } {
  const name = names.at(rva);
  return { address: formatAddress(program.toVa(rva)), name: name === undefined ? null : shownName(name) };
}

function blockItem({ program }: ProgramQuery, block: BasicBlock) {
  return {
    start: formatAddress(program.toVa(block.start)),
    end: formatAddress(program.toVa(block.end)),
    instruction_count: block.instructionCount,
    successors: block.successors.map(({ target, kind }) => ({ address: formatAddress(program.toVa(target)), kind })),
  };
}
