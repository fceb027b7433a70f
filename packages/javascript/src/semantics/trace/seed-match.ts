import { escapeUntrusted, type TraceSeed } from "@rea/core";

/** Compares texts of graphs, which are escaped, with what a caller asks for. */
export function seedMatcher({ value, match, case_sensitive: isSensitive }: TraceSeed): (text: string) => boolean {
  const fold = (text: string): string => (isSensitive ? text : text.toLowerCase());
  // Callers copy texts from results, or write them as they are.
  const wanted = [...new Set([fold(value), fold(escapeUntrusted(value))])];
  if (match === "exact") return (text) => wanted.includes(fold(text));
  return (text) => wanted.some((one) => fold(text).includes(one));
}

const longest = 200;

/** Names as results show them. */
export function shortName(text: string): string {
  const letters = text.length <= longest ? undefined : [...text];
  return letters === undefined || letters.length <= longest ? text : `${letters.slice(0, longest - 1).join("")}…`;
}
