/** Lines `name=value` of a properties file; comments and lines of another form are passed over, the last of a name wins. */
export function readProperties(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const line of text.split(/\r?\n/)) {
    const at = line.indexOf("=");
    if (at <= 0 || /^\s*[#!]/.test(line)) continue;
    found.set(line.slice(0, at).trim(), line.slice(at + 1).trim());
  }
  return found;
}
