import type { KeptComment } from "../syntax/parse-outcome.js";
import type { FoundModule } from "./found-part.js";

const pathComment = /^ ((?:[\w@.\-[\]()+~]+\/)*[\w@.\-[\]()+~]+\.(?:[cm]?[jt]sx?|json|vue|svelte|css))\s*$/u;
const region = /^#region (\S.*?)\s*$/u;

/**
 * Modules whose code lies between comments: `// src/a.ts` of esbuild, `//#region src/a.ts` of Rolldown. Comments count
 * only where they begin a line, and only two or more of them.
 */
export function commentModules(source: string, comments: readonly KeptComment[]): readonly FoundModule[] {
  const marks = comments.flatMap(({ text, start, end }) => {
    if (start > 0 && source[start - 1] !== "\n" && source[start - 1] !== "\r") return [];
    if (!source.startsWith("//", start)) return [];
    const opened = region.exec(text)?.[1];
    const path = opened ?? pathComment.exec(text)?.[1];
    if (path === undefined) return [];
    return [{ path, start, after: end, bundler: opened === undefined ? ("esbuild" as const) : ("rolldown" as const) }];
  });
  if (marks.length < 2) return [];
  return marks.map(({ path, start, after, bundler }, index) => {
    const next = marks[index + 1]?.start ?? source.length;
    const closed = bundler === "rolldown" ? source.indexOf("//#endregion", after) : -1;
    const end = closed >= 0 && closed < next ? closed : next;
    return { bundler, id: path, path, factory: undefined, start, end, requires: { kind: "none" }, basis: "module-comment" };
  });
}
