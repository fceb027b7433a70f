import type { ConfigDocument } from "../documents/config-document.js";

/**
 * A configuration as a plan may show it: texts and comments are blotted out, because other entries hold keys and tokens,
 * except for the texts that `shown` takes. Lines stay lines.
 */
export function maskedText(text: string, spans: ReturnType<ConfigDocument["secrets"]>, shown: (text: string) => boolean): string {
  let result = "";
  let at = 0;
  for (const [start, end] of spans) {
    const span = text.slice(start, end);
    result += text.slice(at, start) + (shown(span) ? span : blotted(span));
    at = end;
  }
  return result + text.slice(at);
}

/** As many lines as before, the quotes or the comment's sign, and one mark. */
function blotted(span: string): string {
  const breaks = span.match(/\r?\n/g)?.join("") ?? "";
  const sign = /^(?:"""|'''|"|'|#|\/\/|\/\*)/.exec(span)?.[0] ?? "";
  const closing = sign === "/*" ? " */" : sign === "#" || sign === "//" ? "" : sign;
  const gap = closing === "" || sign === "/*" ? " " : "";
  return `${sign}${gap}…${breaks}${closing}`;
}
