import { evidenceIdSchema } from "./evidence-schema.js";
import { z } from "./z.js";

/** `session`: this session produced the record. `imported`: it came in a bundle or a snapshot, or was given in full. */
const evidenceOrigins = ["session", "imported"] as const;
export type EvidenceOrigin = (typeof evidenceOrigins)[number];

/** A record that a result rests on. An id proves that a record is unchanged, not where it comes from. */
export const citedRecordSchema = z.strictObject({ evidence_id: evidenceIdSchema, origin: z.enum(evidenceOrigins) }).readonly();
export type CitedRecord = z.infer<typeof citedRecordSchema>;
