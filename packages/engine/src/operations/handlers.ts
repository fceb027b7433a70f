import {
  deepOperations,
  isJsonObject,
  type JsonObject,
  type z,
} from "@rea/core";
import {
  analyzeSwiftTypes,
  getObjcClasses,
  getObjcProtocols,
  inspectNativeDispatchMetadata,
} from "../objc/operations.js";
import { inspectNativeDataType } from "../debug-types/inspect-data-type.js";
import type { NativeOperationName } from "../native-operations.js";
import { procedurePseudoCode } from "../decompile/operations/procedure-pseudo-code.js";
import { traceNativeValues } from "../values/trace-native-values.js";
import { analyzeFunction } from "./analyze-function.js";
import {
  comment,
  inlineComment,
  listBookmarks,
  setAddressesNames,
  setAddressName,
  setBookmark,
  setComment,
  setInlineComment,
  unsetBookmark,
  type AnnotationQuery,
} from "./annotate.js";
import type { Answer } from "./answer.js";
import { addressToFileOffset, readBytes } from "./bytes.js";
import { resolveNativeCallTargets } from "./call-targets.js";
import { fingerprintFunctions } from "./fingerprint-functions.js";
import { inspectNativeInstruction } from "./inspect-instruction.js";
import { readFunctionInstructions } from "./instructions.js";
import { procedureAssembly } from "./listing.js";
import { addressName, listNames, listStrings } from "./names-and-strings.js";
import {
  currentAddress,
  currentDocument,
  currentProcedure,
  documentName,
  gotoAddress,
  listDocuments,
  nextAddress,
  previousAddress,
} from "./navigation.js";
import { listProcedures, procedureAddress, procedureInfo, resolveContainingProcedure } from "./procedures.js";
import type { ProgramQuery } from "./query.js";
import { unknownDocument } from "./refusals.js";
import { crossReferences, procedureCallees, procedureCallers, procedureReferences } from "./references.js";
import { searchBytes } from "./search-bytes.js";
import { searchProcedures, searchStrings } from "./search.js";
import { listSegments } from "./segments.js";
import { summarizeProgram } from "./summarize-program.js";

/** An operation ready to run on unparsed parameters: over the image alone, or over the analysed program. */
export type Handler =
  | { readonly needs: "image"; readonly run: (query: AnnotationQuery, params: unknown) => Answer<unknown> }
  | { readonly needs: "program"; readonly run: (query: ProgramQuery, params: unknown) => Answer<unknown> };

interface Contract<P, R> {
  readonly params: z.ZodType<P> & { readonly shape: object };
  readonly result: z.ZodType<R>;
}

const on = deepOperations;

const handlers: { readonly [N in NativeOperationName]: Handler } = {
  list_documents: image("list_documents", on.list_documents, listDocuments),
  current_document: image("current_document", on.current_document, currentDocument),
  current_address: image("current_address", on.current_address, currentAddress),
  current_procedure: program("current_procedure", on.current_procedure, currentProcedure),
  goto_address: image("goto_address", on.goto_address, gotoAddress),
  next_address: program("next_address", on.next_address, nextAddress),
  prev_address: program("prev_address", on.prev_address, previousAddress),
  list_segments: image("list_segments", on.list_segments, listSegments),
  list_procedures: program("list_procedures", on.list_procedures, listProcedures),
  list_names: program("list_names", on.list_names, listNames),
  list_strings: program("list_strings", on.list_strings, listStrings),
  search_procedures: program("search_procedures", on.search_procedures, searchProcedures),
  search_strings: program("search_strings", on.search_strings, searchStrings),
  search_bytes: image("search_bytes", on.search_bytes, searchBytes),
  procedure_address: program("procedure_address", on.procedure_address, procedureAddress),
  procedure_info: program("procedure_info", on.procedure_info, procedureInfo),
  procedure_assembly: program("procedure_assembly", on.procedure_assembly, procedureAssembly),
  procedure_pseudo_code: program("procedure_pseudo_code", on.procedure_pseudo_code, procedurePseudoCode),
  procedure_callers: program("procedure_callers", on.procedure_callers, procedureCallers),
  procedure_callees: program("procedure_callees", on.procedure_callees, procedureCallees),
  procedure_references: program("procedure_references", on.procedure_references, procedureReferences),
  read_function_instructions: program(
    "read_function_instructions",
    on.read_function_instructions,
    readFunctionInstructions,
  ),
  read_bytes: image("read_bytes", on.read_bytes, readBytes),
  address_to_file_offset: image("address_to_file_offset", on.address_to_file_offset, addressToFileOffset),
  resolve_containing_procedure: program(
    "resolve_containing_procedure",
    on.resolve_containing_procedure,
    resolveContainingProcedure,
  ),
  xrefs: program("xrefs", on.xrefs, crossReferences),
  address_name: program("address_name", on.address_name, addressName),
  comment: image("comment", on.comment, comment),
  inline_comment: image("inline_comment", on.inline_comment, inlineComment),
  list_bookmarks: image("list_bookmarks", on.list_bookmarks, listBookmarks),
  set_address_name: image("set_address_name", on.set_address_name, setAddressName),
  set_addresses_names: image("set_addresses_names", on.set_addresses_names, setAddressesNames),
  set_comment: image("set_comment", on.set_comment, setComment),
  set_inline_comment: image("set_inline_comment", on.set_inline_comment, setInlineComment),
  set_bookmark: image("set_bookmark", on.set_bookmark, setBookmark),
  unset_bookmark: image("unset_bookmark", on.unset_bookmark, unsetBookmark),
  inspect_native_instruction: program(
    "inspect_native_instruction",
    on.inspect_native_instruction,
    inspectNativeInstruction,
  ),
  resolve_native_call_targets: program(
    "resolve_native_call_targets",
    on.resolve_native_call_targets,
    resolveNativeCallTargets,
  ),
  analyze_function: program("analyze_function", on.analyze_function, analyzeFunction),
  fingerprint_functions: program("fingerprint_functions", on.fingerprint_functions, fingerprintFunctions),
  summarize_program: program("summarize_program", on.summarize_program, summarizeProgram),
  inspect_native_data_type: image("inspect_native_data_type", on.inspect_native_data_type, inspectNativeDataType),
  trace_native_values: program("trace_native_values", on.trace_native_values, traceNativeValues),
  get_objc_classes: image("get_objc_classes", on.get_objc_classes, getObjcClasses),
  get_objc_protocols: image("get_objc_protocols", on.get_objc_protocols, getObjcProtocols),
  analyze_swift_types: image("analyze_swift_types", on.analyze_swift_types, analyzeSwiftTypes),
  inspect_native_dispatch_metadata: image(
    "inspect_native_dispatch_metadata",
    on.inspect_native_dispatch_metadata,
    inspectNativeDispatchMetadata,
  ),
};

export function handlerOf(operation: NativeOperationName): Handler {
  return handlers[operation];
}

function image<P, R>(
  operation: string,
  contract: Contract<P, R>,
  run: (query: AnnotationQuery, params: P) => Answer<R>,
): Handler {
  return { needs: "image", run: (query, raw) => withDocument(operation, contract, raw, (params) => run(query, params)) };
}

function program<P, R>(
  operation: string,
  contract: Contract<P, R>,
  run: (query: ProgramQuery, params: P) => Answer<R>,
): Handler {
  return { needs: "program", run: (query, raw) => withDocument(operation, contract, raw, (params) => run(query, params)) };
}

/** Parses, refuses any document but the one there is, and states which document answered. */
function withDocument<P, R>(
  operation: string,
  contract: Contract<P, R>,
  raw: unknown,
  run: (params: P) => Answer<R>,
): Answer<R> {
  const given = isJsonObject(raw) ? raw["document"] : undefined;
  if (given !== undefined && given !== documentName) throw unknownDocument(operation);
  const found = run(contract.params.parse(raw));
  const takesDocument = "document" in contract.params.shape;
  const resolved: JsonObject = takesDocument && given === undefined ? { document: documentName } : {};
  return { ...found, resolved: { ...resolved, ...found.resolved } };
}
