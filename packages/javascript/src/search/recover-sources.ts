import { writeContents, type NamedContent } from "@rea/artifact";
import { escapeUntrusted, sha256Hex, type RecoveredSources } from "@rea/core";
import { applicationLimits, readApplication } from "../application/application-files.js";
import { isBundlerSource, sourcePath } from "../link/source-name.js";
import { readMap } from "../maps/read-map.js";
import { mappedTexts } from "./map-texts.js";

export interface RecoveryRequest {
  readonly path: string;
  readonly innerPath: string | null;
  /** A directory that does not exist yet. */
  readonly output: string;
}

/** Writes the originals that source maps hold, by their paths, under the rules of extraction. */
export async function recoverSources({ path, innerPath, output }: RecoveryRequest, signal: AbortSignal): Promise<RecoveredSources> {
  const read = await readApplication({
    path,
    integrityPolicy: "record-and-continue",
    signal,
    progress: { report: () => undefined },
    innerPath: innerPath ?? undefined,
    limits: applicationLimits,
    onFile: () => undefined,
  });
  const originals = new Map<string, Uint8Array>();
  let withoutText = 0;
  let maps = 0;
  for (const { map } of mappedTexts(read.files)) {
    if (map === null) continue;
    maps += 1;
    for (const { name, content } of readMap(map.text, { sources: 100_000, mappings: 0 }).sources) {
      const target = sourcePath(name);
      if (target === "" || isBundlerSource(name)) continue;
      if (content === null) withoutText += 1;
      else keep(originals, target, Buffer.from(content, "utf8"));
    }
  }
  const contents: NamedContent[] = [...originals].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, bytes]) => ({ path: name, bytes }));
  const { output_root, files, skipped } = await writeContents(contents, output, signal);
  return {
    output_root,
    files: files.map((file) => ({ relative_path: escapeUntrusted(file.relative_path), sha256: file.sha256, bytes: file.bytes_written })),
    skipped: skipped.map((one) => ({ path: escapeUntrusted(one.path), reason: one.reason })),
    maps,
    without_text: withoutText,
  };
}

/** A second text under the same path gets the begin of its digest before the ending. */
function keep(originals: Map<string, Uint8Array>, path: string, bytes: Buffer): void {
  const known = originals.get(path);
  if (known === undefined) originals.set(path, bytes);
  else if (!bytes.equals(known)) originals.set(path.replace(/(\.[^./]*)?$/u, `.${sha256Hex(bytes).slice(0, 16)}$1`), bytes);
}
