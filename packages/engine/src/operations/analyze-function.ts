import { formatAddress, type FunctionCollection, type OperationParams, type OperationResult } from "@rea/core";
import type { CallFacts, ControlFlow } from "../facts/function-facts.js";
import { functionFacts } from "../facts/known-facts.js";
import { debugInterface, debugSignature } from "../debug-types/debug-signature.js";
import type { FunctionRecord, Reference } from "../program.js";
import { pseudocodeFacet } from "../decompile/operations/pseudocode-facet.js";
import { answer, type Answer } from "./answer.js";
import { functionConfidence, omissionSentences } from "./code-coverage.js";
import { givenAddress } from "./cursor.js";
import { ShownBlocks } from "./control-flow.js";
import { collectionFacet, unavailable } from "./facets.js";
import { demangledMember } from "./demangled-names.js";
import { findProcedure } from "./find-procedure.js";
import { commentsOf, referencedNames, referencedStrings } from "./function-context.js";
import { maxScannedInstructions } from "./instructions.js";
import { listingLine } from "./listing.js";
import { nativeApi, stackLocals } from "./native-api.js";
import { classify } from "./procedures.js";
import type { ProgramQuery } from "./query.js";
import { incoming, outgoing, referenceItem } from "./references.js";
import { listValue, shownLines, shownName } from "./shown-text.js";
import { referenceBasis } from "./value-basis.js";

type Params = OperationParams<"analyze_function">;
type Dossier = OperationResult<"analyze_function">;

/** Everything known of one function in one reply; each collection and text pages on its own. */
export function analyzeFunction(query: ProgramQuery, params: Params): Answer<Dossier> {
  const { program } = query;
  const fn = findProcedure(query, params.procedure, "analyze_function");
  const starts = program.instructionStarts(fn);
  const scanned = starts.slice(0, maxScannedInstructions);
  const address = formatAddress(program.toVa(fn.entry));
  const { flow, call: facts } = functionFacts(program, fn, query.checkpoint) ?? {};
  const signature = debugSignature(program, fn);
  const limitations = limitationsOf(query, { isNamed: signature !== null, cut: scanned.length < starts.length, hidden: Math.max(0, (facts?.frame.slots.length ?? 0) - params.limit) });
  const arriving = incoming(program, fn, scanned);
  const basis = referenceBasis(program, arriving, functionConfidence([fn]));
  limitations.push(...basis.limitations);
  const { name } = query.names.ofFunction(fn);
  const result = {
    procedure: {
      address,
      name: shownName(name),
      ...demangledMember(name),
      signature,
      locals: facts === undefined ? [] : stackLocals(facts.frame).slice(0, params.limit),
      classification: classify(fn),
    },
    pseudocode: pseudocodeFacet(query, fn, params),
    assembly: assemblyFacet(query, fn, { params, scanned }),
    ...collections(query, fn, { params, scanned, arriving, flow }),
    native_api: nativeApiFacet(query, fn, { flow, facts, limit: params.limit }),
    instruction_scan: { scanned: scanned.length, truncated: scanned.length < starts.length },
    limitations,
  };
  return answer(result, { confidence: basis.confidence, at: givenAddress(address), limitations });
}

const noTypes = "Names of parameters and locals are not in the code; types are inferred from use, in the pseudocode only.";

interface Scan {
  readonly params: Params;
  readonly scanned: readonly number[];
  /** References to the function. */
  readonly arriving: readonly Reference[];
  readonly flow: ControlFlow | undefined;
}

interface FacetInput {
  readonly flow: ControlFlow | undefined;
  readonly facts: CallFacts | undefined;
  readonly limit: number;
}

function nativeApiFacet({ program }: ProgramQuery, fn: FunctionRecord, { flow, facts, limit }: FacetInput): Dossier["native_api"] {
  if (flow === undefined) {
    return unavailable("The procedure has no body in this file.", "Analyse the library that holds it, or one of its callers.");
  }
  const value = nativeApi({ program, flow, facts, limit });
  return { state: "available", value: { ...value, ...debugInterface(program, fn, value) } };
}

function collections(query: ProgramQuery, fn: FunctionRecord, { params, scanned, arriving, flow }: Scan) {
  const { program } = query;
  const blocks = new ShownBlocks(program, flow);
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
    incoming_references: collectionFacet(arriving, from("incoming_references"), (reference) =>
      referenceItem(program, reference),
    ),
    outgoing_references: collectionFacet(made, from("outgoing_references"), (reference) => referenceItem(program, reference)),
    referenced_strings: collectionFacet(referencedStrings(query, made), from("referenced_strings"), ({ rva, text }) => {
      return { address: formatAddress(program.toVa(rva)), ...listValue(text) };
    }),
    referenced_names: collectionFacet(referencedNames(query, fn, made), from("referenced_names"), named),
    basic_blocks: collectionFacet(program.blocks(fn), from("basic_blocks"), (block) => blocks.item(block)),
  };
}

function assemblyFacet(query: ProgramQuery, fn: FunctionRecord, { params, scanned }: Pick<Scan, "params" | "scanned">): Dossier["assembly"] {
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

function limitationsOf({ program, annotations }: ProgramQuery, { isNamed, cut, hidden }: { readonly isNamed: boolean; readonly cut: boolean; readonly hidden: number }): string[] {
  const limitations = [...(isNamed ? [] : [noTypes]), ...program.coverage.limitations, ...annotations.limitations()];
  if (cut) limitations.push(`Only the first ${String(maxScannedInstructions)} instructions were looked at.`);
  if (hidden > 0) limitations.push(`${String(hidden)} further stack places are not among the locals; raise limit.`);
  limitations.push(...omissionSentences(program));
  return [...new Set(limitations)];
}

function namedAddress({ program, names }: ProgramQuery, rva: number): { address: string; name: string | null } {
  const name = names.at(rva);
  return { address: formatAddress(program.toVa(rva)), name: name === undefined ? null : shownName(name) };
}
