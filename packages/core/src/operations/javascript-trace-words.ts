import { z } from "../z.js";

/** Words that both traces of an application share. */

export const traceSeedKinds = ["node-id", "route", "string", "api", "channel", "module", "native-export"] as const;
export type TraceSeedKind = (typeof traceSeedKinds)[number];

export const traceSeedInput = z.strictObject({
  kind: z.enum(traceSeedKinds).describe("What the value names; api is a function, call or exposed member"),
  value: z.string().min(1).max(4096).describe("Id, path, text or name to begin with"),
  match: z.enum(["exact", "contains"]).default("exact").describe("How names are compared; ids always exactly"),
  case_sensitive: z.boolean().default(true).describe("Whether capitals matter"),
});
export type TraceSeed = z.output<typeof traceSeedInput>;

const bound = (most: number, standard: number, words: string, least = 1) => z.number().int().min(least).max(most).default(standard).describe(words);

/** Bounds of a walk through a graph. */
export const walkLimits = {
  max_depth: bound(64, 12, "Steps from a seed at most", 0),
  max_nodes: bound(20_000, 2000, "Nodes to reach at most"),
  max_edges: bound(40_000, 4000, "Edges to keep at most"),
  max_seed_matches: bound(1000, 25, "Seeds to begin with at most"),
};
