import type { ApplicationSearch } from "@rea/core";
import { grouped } from "./figures.js";
import type { Style } from "./style.js";

/** One hit a line, with its place on the other side of a source map. */
export function applicationHitsText({ hits, total, next_offset, omissions }: ApplicationSearch, style: Style): string {
  const lines = hits.map(({ path, kind, line, column, excerpt, counterpart }) => {
    const other = counterpart === null ? "" : style.dim(` ${kind === "original" ? "in bundle" : "original"} ${counterpart.path}:${String(counterpart.line)}:${String(counterpart.column)}`);
    return `${style.heading(`${path}:${String(line)}:${String(column)}`)} ${kind === "code" ? "" : style.dim(`(${kind}) `)}${excerpt}${other}\n`;
  });
  const more = next_offset === null ? "" : `, more with --offset ${String(next_offset)}`;
  const left = omissions.length === 0 ? "" : style.warn("Not everything could be read; rea analyze says what was left out.\n");
  return `${lines.join("")}${style.dim(`${grouped(hits.length)} of ${grouped(total)} places${more}`)}\n${left}`;
}
