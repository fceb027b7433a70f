import { functionCollections, z, type Facet, type JsonObject, type JsonValue } from "@rea/core";
import { answerOrFacet, availableFacet, listingNotAsked, noBody, pseudocodePage, unavailableFacet, type ClientAnswer } from "@rea/provider";

/** Asks the bridge one thing for an operation. */
export type AskBridge = (method: string, params: JsonObject) => Promise<ClientAnswer>;

const inputs = z.object({
  procedure: z.string(),
  document: z.string().optional(),
  include_assembly: z.boolean(),
  limit: z.int(),
  max_pseudocode_chars: z.int(),
  max_instructions: z.int(),
  pseudocode_offset: z.int(),
  assembly_offset: z.int(),
  collection_offset: z.record(z.string(), z.int().optional()).optional(),
});
type Inputs = z.output<typeof inputs>;

const dossierShape = z.strictObject({ procedure: z.json(), collections: z.record(z.string(), z.json()), instruction_scan: z.json() });
const listingShape = z.strictObject({ lines: z.array(z.string()), total: z.int(), characters: z.int(), complete: z.boolean() });

/** The function dossier: what the document holds, the decompiler's text and the listing, each asked for by itself. */
export async function analyzeFunction(params: JsonObject, ask: AskBridge): Promise<ClientAnswer> {
  const asked = inputs.parse(params);
  const place = { procedure: asked.procedure, ...(asked.document === undefined ? {} : { document: asked.document }) };
  const offsets = Object.fromEntries(functionCollections.map((name) => [name, asked.collection_offset?.[name] ?? 0]));
  const dossier = await ask("function_dossier", { ...place, limit: asked.limit, offsets });
  const { procedure, collections, instruction_scan } = dossierShape.parse(dossier.result);
  const facets = Object.fromEntries(functionCollections.map((name) => [name, availableFacet(collections[name] ?? null)]));
  const limitations = [...dossier.limitations, noInterface];
  const pseudocode = await pseudocodeFacet(asked, place, ask);
  const result = {
    procedure,
    ...facets,
    pseudocode,
    assembly: await assemblyFacet(asked, place, ask),
    native_api: unavailableFacet("Hopper does not tell calling conventions and jump tables to scripts.", "Open the target with provider_id rea-native and call inspect_native_api."),
    instruction_scan,
    limitations,
  };
  return { ...dossier, result, limitations, confidence: pseudocode.state === "available" ? "inferred" : "derived" };
}

const noInterface = "Types and names of locals are Hopper's own inference.";

async function pseudocodeFacet(asked: Inputs, place: JsonObject, ask: AskBridge): Promise<Facet<JsonValue>> {
  const told = await answerOrFacet(ask("procedure_pseudo_code", place), "Hopper's decompiler gave nothing for this procedure");
  if ("facet" in told) return told.facet;
  const whole = z.string().nullable().parse(told.answer.result);
  if (whole === null) return noBody;
  return availableFacet(pseudocodePage(whole, { offset: asked.pseudocode_offset, maximum: asked.max_pseudocode_chars }));
}

async function assemblyFacet(asked: Inputs, place: JsonObject, ask: AskBridge): Promise<Facet<JsonValue>> {
  if (!asked.include_assembly) return listingNotAsked;
  const { assembly_offset: offset, max_instructions: count } = asked;
  const told = await answerOrFacet(ask("function_listing", { ...place, first: offset, count }), "Hopper gave no listing of this procedure");
  if ("facet" in told) return told.facet;
  const { lines, total, characters, complete } = listingShape.parse(told.answer.result);
  const text = lines.join("\n");
  const end = offset + lines.length;
  const truncated = end < total || !complete;
  // The bridge counts what it hands over; what is made visible here may be a little longer.
  const total_chars = Math.max(text.length, characters);
  return availableFacet({ text, offset, returned_chars: text.length, total_chars, truncated, next_offset: end < total ? end : null });
}
