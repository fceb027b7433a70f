const names: readonly string[] = [
  "content-security-policy",
  "content-security-policy-report-only",
  "cross-origin-embedder-policy",
  "cross-origin-embedder-policy-report-only",
  "cross-origin-opener-policy",
  "cross-origin-opener-policy-report-only",
  "cross-origin-resource-policy",
  "link",
];

/** The headers by which an answer says how it is to be treated; several of one name are on lines of their own. */
export function declaredHeaders(headers: { readonly [name: string]: string }): { readonly name: string; readonly value: string }[] {
  return Object.entries(headers)
    .map(([name, value]) => ({ name: name.toLowerCase(), value }))
    .filter(({ name }) => names.includes(name))
    .flatMap(({ name, value }) => value.split("\n").map((line) => ({ name, value: line })));
}
