import type { z } from "@rea/core";

/** What a message holds in the shape it must have; undefined when it has another, too deep to be walked included. */
export function readMessage<T extends z.ZodType>(shape: T, message: unknown): { readonly value: z.output<T> } | undefined {
  try {
    const read = shape.safeParse(message);
    return read.success ? { value: read.data } : undefined;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
