import { functionCollections, isReaError, z, type Facet, type JsonObject, type JsonValue } from "@rea/core";
import { decompileMs, requestMs } from "../ghidra-capabilities.js";
import type { AskBridge, EngineAnswer } from "./engine-answer.js";

const inputs = z.object({
  procedure: z.string(),
  include_assembly: z.boolean(),
  limit: z.int(),
  max_pseudocode_chars: z.int(),
  max_instructions: z.int(),
  pseudocode_offset: z.int(),
  assembly_offset: z.int(),
  collection_offset: z.record(z.string(), z.int().optional()).optional(),
});
type Inputs = z.output<typeof inputs>;

const dossierShape = z.object({ procedure: z.json(), instruction_scan: z.json(), collections: z.record(z.string(), z.json()) });
const decompiledShape = z.object({ text: z.string().nullable(), text_truncated: z.boolean(), native_api: z.json() });
const listingShape = z.object({ text: z.string(), total_chars: z.int(), next_offset: z.int().nullable() });

/** The function dossier: what the program holds, the decompiler's view, and the listing, each asked for by itself. */
export async function analyzeFunction(params: JsonObject, ask: AskBridge): Promise<EngineAnswer> {
  const asked = inputs.parse(params);
  const offsets = Object.fromEntries(functionCollections.map((name) => [name, asked.collection_offset?.[name] ?? 0]));
  const dossier = await ask("function_dossier", { procedure: asked.procedure, limit: asked.limit, offsets }, requestMs);
  const held = dossierShape.parse(dossier.value);
  const decompiled = await decompile(asked, ask);
  const assembly = await listing(asked, ask);
  const limitations = [...new Set([...dossier.limitations, ...decompiled.limitations])];
  const collections = Object.fromEntries(functionCollections.map((name) => [name, { state: "available", value: held.collections[name] ?? null }]));
  const value = {
    procedure: held.procedure,
    ...collections,
    pseudocode: decompiled.pseudocode,
    assembly,
    native_api: decompiled.nativeApi,
    instruction_scan: held.instruction_scan,
    limitations,
  };
  return { value: z.json().parse(value), limitations, at: dossier.at };
}

interface Decompiled {
  readonly pseudocode: Facet<JsonValue>;
  readonly nativeApi: Facet<JsonValue>;
  readonly limitations: readonly string[];
}

async function decompile(asked: Inputs, ask: AskBridge): Promise<Decompiled> {
  const told = await orReason(ask("decompile_function", { procedure: asked.procedure }, decompileMs), "Ghidra's decompiler gave nothing for this procedure");
  if ("facet" in told) return { pseudocode: told.facet, nativeApi: told.facet, limitations: [] };
  const { text, text_truncated: cut, native_api: nativeApi } = decompiledShape.parse(told.answer.value);
  const limitations = [...told.answer.limitations, ...(cut ? ["The pseudocode is longer than the bridge hands on; its end is missing."] : [])];
  if (text === null) {
    const none = unavailable("The procedure has no body in this file.", "Analyse the library that holds it, or one of its callers.");
    return { pseudocode: none, nativeApi: none, limitations };
  }
  return { pseudocode: available(pseudocodePart(text, asked)), nativeApi: available(nativeApi), limitations };
}

function pseudocodePart(whole: string, { pseudocode_offset: offset, max_pseudocode_chars: maximum }: Inputs): JsonObject {
  const start = wholeCharacter(whole, Math.min(offset, whole.length));
  const end = wholeCharacter(whole, Math.min(start + maximum, whole.length));
  const truncated = end < whole.length;
  return { text: whole.slice(start, end), offset: start, returned_chars: end - start, total_chars: whole.length, truncated, next_offset: truncated ? end : null };
}

/** Never inside a surrogate pair; a cut of one character goes on past the pair. */
function wholeCharacter(text: string, at: number): number {
  const inside = at > 0 && at < text.length && /[\ud800-\udbff]/.test(text.charAt(at - 1)) && /[\udc00-\udfff]/.test(text.charAt(at));
  return inside ? at + 1 : at;
}

async function listing(asked: Inputs, ask: AskBridge): Promise<Facet<JsonValue>> {
  if (!asked.include_assembly) return unavailable("The listing was not asked for.", "Call again with include_assembly, or page read_function_instructions.");
  const { procedure, assembly_offset: offset, max_instructions: limit } = asked;
  const told = await orReason(ask("function_listing", { procedure, offset, limit }, requestMs), "Ghidra gave no listing of this procedure");
  if ("facet" in told) return told.facet;
  const { text, total_chars, next_offset } = listingShape.parse(told.answer.value);
  return available({ text, offset, returned_chars: text.length, total_chars, truncated: next_offset !== null, next_offset });
}

/** A part that fails leaves the others alone; cancellation and the loss of the engine do not. */
async function orReason(asked: Promise<EngineAnswer>, what: string): Promise<{ readonly answer: EngineAnswer } | { readonly facet: Facet<JsonValue> }> {
  try {
    return { answer: await asked };
  } catch (error) {
    if (!isReaError(error) || !["execution_failure", "provider_timeout", "truncated"].includes(error.code)) throw error;
    return { facet: unavailable(`${what} (${error.code}).`, "Read its instructions with read_function_instructions.") };
  }
}

function available(value: JsonValue): Facet<JsonValue> {
  return { state: "available", value };
}

function unavailable(reason: string, remediation: string): Facet<never> {
  return { state: "unavailable", reason, remediation };
}
