import { z } from "@rea/core";

const addressText = z.string().regex(/^0x(?:0|[1-9a-f][0-9a-f]{0,15})$/);

/** One line of the log. `image` tells slices and raw mappings of the same file apart, whose addresses overlap. */
export const annotationEntrySchema = z.object({
  v: z.literal(1),
  time: z.string(),
  client: z.object({ name: z.string(), version: z.string() }),
  image: z.string(),
  kind: z.enum(["name", "comment", "inline_comment", "bookmark"]),
  address: addressText,
  action: z.enum(["set", "unset"]),
  /** The name or text; null for a bookmark without a name and for `unset`. */
  value: z.string().nullable(),
});
export type AnnotationEntry = z.infer<typeof annotationEntrySchema>;
export type AnnotationKind = AnnotationEntry["kind"];

/** The entry of a line, or undefined when the line is damaged. */
export function parseEntry(line: string): AnnotationEntry | undefined {
  try {
    return annotationEntrySchema.safeParse(JSON.parse(line)).data;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
