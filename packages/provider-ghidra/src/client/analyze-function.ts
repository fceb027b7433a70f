import { functionCollections, z, type Facet, type JsonObject, type JsonValue } from "@rea/core";
import { answerOrFacet, availableFacet, listingNotAsked, noBody, pseudocodePage } from "@rea/provider";
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
  const told = await answerOrFacet(ask("decompile_function", { procedure: asked.procedure }, decompileMs), "Ghidra's decompiler gave nothing for this procedure");
  if ("facet" in told) return { pseudocode: told.facet, nativeApi: told.facet, limitations: [] };
  const { text, text_truncated: cut, native_api: nativeApi } = decompiledShape.parse(told.answer.value);
  const limitations = [...told.answer.limitations, ...(cut ? ["The pseudocode is longer than the bridge hands on; its end is missing."] : [])];
  if (text === null) return { pseudocode: noBody, nativeApi: noBody, limitations };
  const page = pseudocodePage(text, { offset: asked.pseudocode_offset, maximum: asked.max_pseudocode_chars });
  return { pseudocode: availableFacet(page), nativeApi: availableFacet(nativeApi), limitations };
}

async function listing(asked: Inputs, ask: AskBridge): Promise<Facet<JsonValue>> {
  if (!asked.include_assembly) return listingNotAsked;
  const { procedure, assembly_offset: offset, max_instructions: limit } = asked;
  const told = await answerOrFacet(ask("function_listing", { procedure, offset, limit }, requestMs), "Ghidra gave no listing of this procedure");
  if ("facet" in told) return told.facet;
  const { text, total_chars, next_offset } = listingShape.parse(told.answer.value);
  return availableFacet({ text, offset, returned_chars: text.length, total_chars, truncated: next_offset !== null, next_offset });
}
