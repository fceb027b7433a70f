import { span, type Span } from "./fact.js";

/** What a script's last `sourceMappingURL` comment says. */
export interface SourceMapLink {
  /** Null for a map that stands in the comment itself; its bytes are `inline`. */
  readonly url: string | null;
  readonly at: Span;
  /** Range of the base-64 text of an inline map. */
  readonly inline: Span | null;
}

const mark = "sourceMappingURL=";
const tailLength = 65_536;

/** Reads the last link; a link is a comment, alone on its line or the last thing on it. */
export function sourceMapLink(source: string): SourceMapLink | null {
  for (let at = source.lastIndexOf(mark); at >= 0; at = at === 0 ? -1 : source.lastIndexOf(mark, at - 1)) {
    const before = source.slice(Math.max(0, at - 4), at);
    if (!/(?:\/\/|\/\*)[#@]\s$/u.test(before)) {
      if (source.length - at > tailLength && !source.startsWith("data:", at + mark.length)) return null;
      continue;
    }
    const start = at + mark.length;
    const length = source.slice(start).search(/[\s'"*]|$/u);
    const value = source.slice(start, start + length);
    const data = /^data:application\/json[^,]*,/u.exec(value);
    if (data === null) return { url: value, at: span(start, start + length), inline: null };
    return { url: null, at: span(start, start + length), inline: span(start + data[0].length, start + length) };
  }
  return null;
}
