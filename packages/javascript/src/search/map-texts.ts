import type { ApplicationFile } from "../application/application-files.js";
import { mapPath } from "../application/read-texts.js";
import { sourceMapLink } from "../facts/source-map-link.js";
import { decodeText } from "../text/decode.js";

/** A script with its text and the text of its map. */
export interface MappedText {
  readonly file: ApplicationFile;
  readonly text: string;
  readonly map: { readonly path: string; readonly text: string } | null;
}

/** Texts of scripts and pages with their maps, one after another: only one is held at a time. */
export function* mappedTexts(files: readonly ApplicationFile[]): Generator<MappedText> {
  const maps = new Map(files.flatMap((file) => (file.role === "map" ? [[file.path, file] as const] : [])));
  const used = new Set<string>();
  for (const file of files) {
    if (file.role === "map" || file.bytes === undefined) continue;
    const { text } = decodeText(file.bytes);
    const map = file.role === "script" ? mapOf(file, text, maps) : null;
    if (map !== null) used.add(map.path);
    yield { file, text, map };
  }
  for (const [path, file] of maps) {
    if (!used.has(path) && file.bytes !== undefined) yield { file, text: "", map: { path, text: decodeText(file.bytes).text } };
  }
}

function mapOf(file: ApplicationFile, text: string, maps: ReadonlyMap<string, ApplicationFile>): MappedText["map"] {
  const link = sourceMapLink(text);
  if (link === null) return null;
  if (link.inline !== null) {
    const data = text.slice(link.inline.start, link.inline.end);
    return { path: file.path, text: Buffer.from(data, "base64").toString("utf8") };
  }
  const path = link.url === null ? undefined : mapPath(file.path, link.url);
  const bytes = path === undefined ? undefined : maps.get(path)?.bytes;
  return path === undefined || bytes === undefined ? null : { path, text: decodeText(bytes).text };
}
