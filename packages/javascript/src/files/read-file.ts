import { sha256Hex } from "@rea/core";
import { readScript, type FactLimits } from "../facts/read-facts.js";
import type { ScriptFacts } from "../facts/script-facts.js";
import { readMap, type MapSource, type ReadMap } from "../maps/read-map.js";
import type { SemanticLimits } from "../semantics/file-semantics.js";
import { semanticsText } from "../semantics/place-semantics.js";
import { parseImports } from "./original-imports.js";
import { decodeText } from "../text/decode.js";
import { placeFacts, Places } from "../text/places.js";
import type { FileFacts, MapFacts, OriginalFact } from "./file-facts.js";

export interface ScriptFile {
  /** Last segment of its path. */
  readonly name: string;
  readonly moduleType: "module" | "commonjs" | null;
  readonly bytes: Uint8Array;
  /** Of the map that its link leads to. */
  readonly map: Uint8Array | null;
  readonly limits: FactLimits & { readonly originals: number; readonly mappings: number };
  /** Bounds of what flows in it; left out, none of that is read. */
  readonly semantics?: SemanticLimits;
}

/** What was read of a file, and its semantics as `semanticsText` writes them. */
export interface ReadFile<F> {
  readonly facts: F;
  readonly semantics: string;
}

/** Everything one script file says; offsets in bytes. Its text, tree and map are gone when this returns. */
export async function readScriptFile({ name, moduleType, bytes, map, limits, semantics: wanted }: ScriptFile): Promise<ReadFile<FileFacts>> {
  const decoded = decodeText(bytes);
  const { facts, semantics } = await readScript(decoded.text, { name, moduleType }, { ...limits, semantics: wanted ?? null });
  const places = new Places(decoded, bytes.byteLength);
  const text = map === null ? inlineMap(decoded.text, facts) : decodeText(map).text;
  const mapped = text === undefined ? null : await readMapFacts(text, { facts, places, limits });
  placeFacts(facts, places);
  return { facts: { facts, encoding: decoded.encoding, map: mapped }, semantics: semanticsText(semantics, places) };
}

/** A map that stands in the script's own comment; undefined when there is none. */
function inlineMap(text: string, { sourceMap }: ScriptFacts): string | undefined {
  if (sourceMap?.inline === undefined || sourceMap.inline === null) return undefined;
  const { start, end } = sourceMap.inline;
  const data = text.slice(start, end);
  if (/;base64,$/u.test(text.slice(Math.max(0, start - 8), start))) return Buffer.from(data, "base64").toString("utf8");
  try {
    return decodeURIComponent(data);
  } catch {
    // Not percent-encoded after all: read as it stands.
    return data;
  }
}

/** A map without its script. */
export async function readMapFile(bytes: Uint8Array, limits: ScriptFile["limits"]): Promise<MapFacts> {
  return readMapFacts(decodeText(bytes).text, { facts: undefined, places: undefined, limits });
}

interface Mapped {
  readonly facts: ScriptFacts | undefined;
  readonly places: Places | undefined;
  readonly limits: ScriptFile["limits"];
}

/** One source's share of the script: how many segments in which module. */
class Share {
  segments = 0;
  first: { readonly line: number; readonly column: number } | undefined;
  readonly byModule = new Map<number, number>();
}

async function readMapFacts(text: string, { facts, places, limits }: Mapped): Promise<MapFacts> {
  const shares = new Map<number, Share>();
  const modules = facts?.modules ?? [];
  let cursor = 0;
  const read = readMap(text, { sources: limits.originals, mappings: limits.mappings }, {
    lines: places?.lineLengths(),
    visit: ({ line, column, source }) => {
      if (source < 0) return;
      const share = shares.get(source) ?? new Share();
      if (share.segments === 0) shares.set(source, share);
      share.segments += 1;
      share.first ??= { line, column };
      const start = places?.lineStart(line);
      if (start === undefined || modules.length === 0) return;
      cursor = moduleAt(modules, start + column, cursor);
      const at = modules[cursor]?.at;
      if (at !== undefined && at.start <= start + column && start + column < at.end) share.byModule.set(cursor, (share.byModule.get(cursor) ?? 0) + 1);
    },
  });
  return { verdict: read.verdict, mappings: read.mappings, problems: read.problems, originals: await originalsOf(read, shares) };
}

/** The last module that begins at or before an offset; segments come in order, so the last answer is near. */
function moduleAt(modules: ScriptFacts["modules"], offset: number, from: number): number {
  let at = from;
  while (at > 0 && (modules[at]?.at.start ?? 0) > offset) at -= 1;
  while (at + 1 < modules.length && (modules[at + 1]?.at.start ?? Infinity) <= offset) at += 1;
  return at;
}

async function originalsOf(read: ReadMap, shares: ReadonlyMap<number, Share>): Promise<readonly OriginalFact[]> {
  const found: OriginalFact[] = [];
  for (const [index, source] of read.sources.entries()) {
    const share = shares.get(index);
    const name = joinedRoot(read.sourceRoot, source);
    const content = source.content === null ? null : Buffer.from(source.content, "utf8");
    const sha256 = content === null ? null : sha256Hex(content);
    found.push({
      name,
      sha256,
      bytes: content?.byteLength ?? null,
      ignored: source.ignored,
      segments: share?.segments ?? 0,
      firstLine: share?.first === undefined ? null : share.first.line + 1,
      firstColumn: share?.first?.column ?? null,
      module: mostOf(share?.byModule),
      imports: source.content === null || sha256 === null ? [] : await parseImports(source.content, name, sha256),
    });
  }
  return found;
}

function joinedRoot(root: string | null, { name }: MapSource): string {
  if (root === null || root === "" || /^[a-z][\w+.-]*:/iu.test(name) || name.startsWith("/")) return name;
  return root.endsWith("/") ? root + name : `${root}/${name}`;
}

function mostOf(counts: ReadonlyMap<number, number> | undefined): number | null {
  let most: number | null = null;
  let count = 0;
  for (const [module, segments] of counts ?? []) {
    if (segments <= count) continue;
    most = module;
    count = segments;
  }
  return most;
}
