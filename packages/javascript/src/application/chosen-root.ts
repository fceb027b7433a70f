import type { Inventory } from "@rea/artifact";
import { ReaError, type ApplicationFormat, type SubjectFormat } from "@rea/core";
import type { AnalysisRequest } from "./analysis-request.js";

export interface ChosenRoot {
  readonly sha256: string | null;
  /** Format of what was read, in the words of subjects. */
  readonly format: SubjectFormat;
  readonly applicationFormat: ApplicationFormat;
  readonly name: string;
}

/** What the application proper is: the input, or what lies at the inner path. Refuses what cannot be one. */
export function chosenRoot(inventory: Inventory, { path, format, innerPath }: AnalysisRequest): ChosenRoot {
  const found = innerPath === null ? whole(inventory, path) : inner(inventory, innerPath);
  const applicationFormat = formatOf(found.format, found.isDirectory, found.name);
  if (applicationFormat === undefined) {
    throw new ReaError("capability_unavailable", {
      message: "The input is neither a directory, an archive, a script nor a source map. Call inspect_artifact to see what it is.",
      details: { operation: "analyze_javascript_application", reason: "unsupported_format" },
    });
  }
  if (format !== "auto" && format !== applicationFormat) throw refused("format", `auto or ${applicationFormat}, which is what the content shows`);
  return { sha256: found.sha256, format: found.format, applicationFormat, name: found.name };
}

interface Found {
  readonly sha256: string | null;
  readonly format: SubjectFormat;
  readonly isDirectory: boolean;
  readonly name: string;
}

function whole({ manifest, graph }: Inventory, path: string): Found {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const holds = graph.occurrences.length > 1;
  return { sha256: manifest.root_sha256, format: manifest.root_format, isDirectory: manifest.root_format === "directory" || (holds && manifest.root_format !== "asar"), name };
}

function inner({ graph }: Inventory, innerPath: string): Found {
  const candidates = [innerPath, `${innerPath}!`, innerPath.replace(/!$/u, "")];
  const place = graph.occurrences.find(({ logical_path }) => candidates.includes(logical_path));
  const below = graph.occurrences.some(({ logical_path }) => logical_path.startsWith(`${innerPath}/`) || logical_path.startsWith(`${innerPath}!/`));
  if (place === undefined && !below) throw refused("inner_path", "the logical path of a member, as inspect_artifact shows it");
  const sha256 = graph.nodes.find(({ artifact_id }) => artifact_id === place?.artifact_id)?.sha256 ?? null;
  const format: SubjectFormat = place?.artifact_format ?? "directory";
  return { sha256, format, isDirectory: format === "directory" || (below && format !== "asar"), name: innerPath.slice(innerPath.lastIndexOf("/") + 1) };
}

function formatOf(format: SubjectFormat, isDirectory: boolean, name: string): ApplicationFormat | undefined {
  if (format === "asar") return "asar";
  if (isDirectory) return "directory";
  if (format === "source-map" || /\.map$/iu.test(name)) return "source-map";
  const isScript = format === "javascript" || format === "javascript-bundle" || /\.(?:[cm]?[jt]sx?|html?)$/iu.test(name);
  return isScript || format === "file" || format === "unknown" ? "bundle" : undefined;
}

function refused(path: "format" | "inner_path", expected: string): ReaError {
  return new ReaError("invalid_request", {
    message: `${path} does not fit the input. Correct it and call again.`,
    details: { operation: "analyze_javascript_application", issues: [{ path, reason: "invalid_value", expected }] },
  });
}
