/** True for base64 with its padding. */
export function isBase64(text: string): boolean {
  return text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);
}

/** Aliases named by `{{alias}}`, in order. */
export function aliasesIn(template: string): string[] {
  return Array.from(template.matchAll(/\{\{([A-Za-z0-9_.-]{1,64})\}\}/g), ([, alias]) => alias ?? "");
}

/** Pairs of header lines; undefined when a line is none. */
export function headersOf(lines: string): [name: string, value: string][] | undefined {
  const pairs: [string, string][] = [];
  for (const line of lines.split(/\r?\n/)) {
    if (line === "") continue;
    const [, header, value] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}):[ \t]*([\t\x20-\x7e\x80-\xff]*)$/.exec(line) ?? [];
    if (header === undefined || value === undefined) return undefined;
    pairs.push([header, value.trimEnd()]);
  }
  return pairs;
}
