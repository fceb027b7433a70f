import type { LeafHints } from "../hints/found-hint.js";
import type { Occurrence } from "../graph/graph.js";

interface Probe {
  readonly operation: string;
  input: Record<string, unknown>;
  readonly rationale: string;
}

interface Rule {
  readonly operations: readonly string[];
  /** Input in which the place goes; null where the whole artifact is asked. */
  readonly place: "logical_path" | "relative_path" | null;
  readonly rationale: string;
  readonly fits: (one: Occurrence) => boolean;
}

const programs: ReadonlySet<string> = new Set(["elf", "pe", "mach-o", "mach-o-universal"]);

const rules: readonly Rule[] = [
  {
    operations: ["inspect_binary", "open_binary"],
    place: "logical_path",
    rationale: "A program can be read without running it; one inside a container is extracted first with extract_artifact.",
    fits: ({ artifact_format }) => programs.has(artifact_format),
  },
  {
    operations: ["inspect_plist"],
    place: "relative_path",
    rationale: "A property list tells what the bundle declares of itself.",
    fits: ({ artifact_kind, logical_path }) => (artifact_kind === "plist" || artifact_kind === "entitlements") && !/\.storyboardc\//u.test(logical_path),
  },
  {
    operations: ["decode_interface_builder"],
    place: null,
    rationale: "Compiled nibs tell which object sends which message to which.",
    fits: ({ entry_kind, logical_path }) => entry_kind === "file" && /\.nib(?:\/[^/]+\.nib)?$/iu.test(logical_path),
  },
  {
    operations: ["inspect_asset_catalog"],
    place: "relative_path",
    rationale: "A compiled asset catalog holds pictures, colors and data.",
    fits: ({ entry_kind, logical_path }) => entry_kind === "file" && /\.car$/iu.test(logical_path),
  },
];

/**
 * What to ask next, one probe for each kind of content that is there, at its first place. `hinted` are the leaves that
 * carry something.
 */
export function nextProbes(occurrences: readonly Occurrence[], hinted: readonly LeafHints[]): Probe[] {
  const carrier = occurrences.find(({ artifact_format, logical_path }) => programs.has(artifact_format) && hinted.some((one) => one.logical_path === logical_path));
  return [...byKind(occurrences), ...(carrier === undefined ? [] : [carrierProbe(carrier)])];
}

function carrierProbe({ logical_path }: Occurrence): Probe {
  const rationale = "The program carries something that was not opened; its overlay, sections and hints say more.";
  return { operation: "inspect_binary", input: { logical_path, facets: ["overlay", "sections", "container_hints"] }, rationale };
}

function byKind(occurrences: readonly Occurrence[]): Probe[] {
  return rules.flatMap(({ operations, place, rationale, fits }) => {
    const first = occurrences.find(fits);
    if (first === undefined) return [];
    const input = place === null ? {} : { [place]: first.logical_path };
    return operations.map((operation) => ({ operation, input: { ...input }, rationale }));
  });
}
