import type { z } from "@rea/core";

/** The standard limits with those of the caller over them. */
export function mergedLimits<T extends z.ZodObject>(shape: T, standard: z.output<T>, given: { readonly [name: string]: number | undefined } | undefined): z.output<T> {
  const set = Object.entries(given ?? {}).filter(([, value]) => value !== undefined);
  return shape.parse({ ...standard, ...Object.fromEntries(set) });
}
