import { z } from "@rea/core";

const remote = z.looseObject({ type: z.string(), value: z.unknown().optional(), unserializableValue: z.string().optional(), description: z.string().optional() });

export const consoleCalled = z.looseObject({ type: z.string(), args: z.array(remote) });
export const exceptionThrown = z.looseObject({
  exceptionDetails: z.looseObject({
    text: z.string(),
    url: z.string().optional(),
    lineNumber: z.int().nonnegative().optional(),
    exception: z.looseObject({ description: z.string().optional() }).optional(),
  }),
});

/** What a console shows of its arguments: texts as they are, of others what the engine says of them. */
export function textOfArguments(args: readonly z.output<typeof remote>[]): string {
  return args
    .slice(0, 32)
    .map(({ type, value, unserializableValue, description }) => (type === "string" && typeof value === "string" ? value : (unserializableValue ?? description ?? String(value))))
    .join(" ");
}
