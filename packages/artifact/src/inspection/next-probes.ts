import type { Occurrence } from "../graph/graph.js";

interface Probe {
  readonly operation: string;
  input: Record<string, unknown>;
  readonly rationale: string;
}

interface Rule {
  readonly operations: readonly string[];
  readonly rationale: string;
  readonly fits: (one: Occurrence) => boolean;
}

const programs: ReadonlySet<string> = new Set(["elf", "pe", "mach-o", "mach-o-universal"]);

const rules: readonly Rule[] = [
  {
    operations: ["inspect_binary", "open_binary"],
    rationale: "A program can be read without running it; one inside a container is extracted first with extract_artifact.",
    fits: ({ artifact_format }) => programs.has(artifact_format),
  },
];

/** What to ask next, one probe for each kind of content that is there, at its first place. */
export function nextProbes(occurrences: readonly Occurrence[]): Probe[] {
  return rules.flatMap(({ operations, rationale, fits }) => {
    const first = occurrences.find(fits);
    if (first === undefined) return [];
    return operations.map((operation) => ({ operation, input: { logical_path: first.logical_path }, rationale }));
  });
}
