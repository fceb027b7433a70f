import { z, type JsonObject } from "@rea/core";

/** The members of `binary_session` that doctor reads. */
const descriptionSchema = z.looseObject({
  server_identity: z.looseObject({
    sdk: z.record(z.string(), z.string()),
    catalog: z.looseObject({ tool_count: z.number(), tools_sha256: z.string(), providers_sha256: z.string(), combined_sha256: z.string() }),
  }),
  analysis_provider_candidates: z.array(
    z.looseObject({
      provider: z.looseObject({ id: z.string(), name: z.string(), version: z.string() }),
      availability: z.looseObject({ status: z.string(), code: z.string().nullable(), reason: z.string().nullable() }),
    }),
  ),
});

export type SessionDescription = z.output<typeof descriptionSchema>;

/** Reads the result of `binary_session`. Throws a plain Error when it is of another shape: it comes from this process. */
export function sessionDescription(result: JsonObject): SessionDescription {
  return descriptionSchema.parse(result);
}
