import { isUtf8 } from "node:buffer";
import { parseStrictJson, type JsonValue, type z } from "@rea/core";

export type FrameProblem = "not_utf8" | "not_json" | "unknown_shape";

export type ReadFrame<T> = { readonly frame: T } | { readonly problem: FrameProblem };

const bounds = { depth: 64, nodes: 2_000_000, stringBytes: 16 * 1024 * 1024 } as const;

/** One line of an untrusted peer: UTF-8, strict JSON (no key twice, integers only), and exactly a known shape. */
export function readFrame<T>(line: Buffer, shape: z.ZodType<T>): ReadFrame<T> {
  if (!isUtf8(line)) return { problem: "not_utf8" };
  let value: JsonValue;
  try {
    value = parseStrictJson(line, { bounds });
  } catch {
    return { problem: "not_json" };
  }
  const read = shape.safeParse(value);
  return read.success ? { frame: read.data } : { problem: "unknown_shape" };
}
