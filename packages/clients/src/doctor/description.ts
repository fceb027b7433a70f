import { z, type JsonObject } from "@rea/core";

/** The members of `binary_session` that doctor reads. */
const descriptionSchema = z.looseObject({
  server_identity: z.looseObject({
    sdk: z.record(z.string(), z.string()),
    catalog: z.looseObject({ tool_count: z.number(), tools_sha256: z.string(), providers_sha256: z.string(), combined_sha256: z.string() }),
  }),
  analysis_provider_candidates: z.array(
    z.looseObject({
      /** Of an engine of the user the version is known once a target is opened. */
      provider: z.looseObject({ id: z.string(), name: z.string(), version: z.string().nullable() }),
      availability: z.looseObject({
        status: z.string(),
        code: z.string().nullable(),
        reason: z.string().nullable(),
        diagnostics: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
      }),
    }),
  ),
});

export type SessionDescription = z.output<typeof descriptionSchema>;

/** Reads the result of `binary_session`. Throws a plain Error when it is of another shape: it comes from this process. */
export function sessionDescription(result: JsonObject): SessionDescription {
  return descriptionSchema.parse(result);
}
