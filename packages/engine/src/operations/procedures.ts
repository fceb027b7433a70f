import { formatAddress, pageOf, type OperationParams, type OperationResult } from "@rea/core";
import { debugSignature } from "../debug-types/debug-signature.js";
import type { FunctionRecord, Program } from "../program.js";
import { answer, type Answer } from "./answer.js";
import { codeOmissions, functionConfidence } from "./code-coverage.js";
import { givenAddress } from "./cursor.js";
import { demangledMember } from "./demangled-names.js";
import { findProcedure } from "./find-procedure.js";
import type { ProgramQuery } from "./query.js";
import { listValue, shownName } from "./shown-text.js";

const noSignatures = "Signatures and locals are not recovered.";

export function listProcedures(
  query: ProgramQuery,
  params: OperationParams<"list_procedures">,
): Answer<OperationResult<"list_procedures">> {
  const { program, names } = query;
  const page = pageOf(program.functions, params, (fn) => fn, codeOmissions(program));
  const items = page.items.map((fn) => {
    const { name, source, sources } = names.ofFunction(fn);
    return {
      address: formatAddress(program.toVa(fn.entry)),
      ...listValue(name),
      procedure: {
        size: sizeOf(fn),
        sources: [...sources],
        name_source: source,
        external: fn.external,
        thunk: fn.thunk,
        thunk_target: fn.thunkTarget === undefined ? null : shownName(fn.thunkTarget),
        ...demangledMember(name),
      },
    };
  });
  return answer(
    { ...page, items },
    { confidence: functionConfidence(page.items), limitations: program.coverage.limitations },
  );
}

export function procedureAddress(
  query: ProgramQuery,
  params: OperationParams<"procedure_address">,
): Answer<OperationResult<"procedure_address">> {
  const fn = findProcedure(query, params.procedure, "procedure_address");
  const va = query.program.toVa(fn.entry);
  return answer(formatAddress(va), { confidence: functionConfidence([fn]), at: givenAddress(formatAddress(va)) });
}

export function procedureInfo(
  query: ProgramQuery,
  params: OperationParams<"procedure_info">,
): Answer<OperationResult<"procedure_info">> {
  const { program } = query;
  const fn = findProcedure(query, params.procedure, "procedure_info");
  const entry = formatAddress(program.toVa(fn.entry));
  const { name } = query.names.ofFunction(fn);
  const result = {
    name: shownName(name),
    ...demangledMember(name),
    entrypoint: entry,
    length: sizeOf(fn),
    basicblock_count: fn.external && fn.size === 0 ? null : program.blocks(fn).length,
    signature: debugSignature(query.program, fn),
    locals: [],
    classification: classify(fn),
  };
  return answer(result, {
    confidence: functionConfidence([fn]),
    at: givenAddress(entry),
    limitations: [...(result.signature === null ? [noSignatures] : []), ...program.coverage.limitations],
  });
}

export function resolveContainingProcedure(
  query: ProgramQuery,
  params: OperationParams<"resolve_containing_procedure">,
): Answer<OperationResult<"resolve_containing_procedure">> {
  const va = givenAddress(params.address);
  const query_address = formatAddress(va);
  if (!query.memory.isMapped(va)) {
    return answer({ found: false, query_address, reason: "outside_segments", procedure: null }, { at: va });
  }
  const fn = containing(query.program, va);
  const { limitations } = query.program.coverage;
  if (fn === undefined) {
    const result = { found: false as const, query_address, reason: "not_in_procedure" as const, procedure: null };
    return answer(result, { confidence: "derived", at: va, limitations });
  }
  const procedure = {
    address: formatAddress(query.program.toVa(fn.entry)),
    name: shownName(query.names.ofFunction(fn).name),
  };
  return answer(
    { found: true, query_address, procedure },
    { confidence: functionConfidence([fn]), at: va, limitations },
  );
}

export function classify(fn: FunctionRecord): NonNullable<OperationResult<"procedure_info">["classification"]> {
  return {
    external: fn.external,
    thunk: fn.thunk,
    thunk_target: fn.thunkTarget === undefined ? null : shownName(fn.thunkTarget),
    provenance: fn.external ? "import stub of this image" : fn.thunk ? "code that only jumps on" : "code of this image",
  };
}

function containing(program: Program, va: bigint): FunctionRecord | undefined {
  const rva = program.toRva(va);
  return rva === undefined ? undefined : program.functionContaining(rva);
}

function sizeOf(fn: FunctionRecord): number | null {
  return fn.external && fn.size === 0 ? null : fn.size;
}
