import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "@rea/core";

const sampleSchema = z.object({ task_id: z.number(), c_func: z.string(), c_test: z.string() });

/** A C function `func0` and a `main` that asserts what it does. */
export type Sample = z.infer<typeof sampleSchema>;

/** Reads `samples.json` of a folder of re-executability samples; see the README there. */
export function readSamples(folder: string): readonly Sample[] {
  return z.array(sampleSchema).parse(JSON.parse(readFileSync(join(folder, "samples.json"), "utf8")));
}

/** The lines that bring in the original's headers. */
export function includesOf({ c_func }: Sample): string {
  return c_func.split("\n").filter((line) => line.startsWith("#include")).join("\n");
}
