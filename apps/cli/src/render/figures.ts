/** `1234567` → `1,234,567`, the same in every locale. */
export function grouped(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** Bytes with a binary unit beside the exact count. */
export function byteSize(bytes: number): string {
  const units = ["KiB", "MiB", "GiB", "TiB"];
  let value = bytes;
  let unit = "";
  for (const name of units) {
    if (value < 1024) break;
    value /= 1024;
    unit = name;
  }
  return unit === "" ? `${grouped(bytes)} bytes` : `${value.toFixed(1)} ${unit} (${grouped(bytes)} bytes)`;
}

/** A command that can be pasted: `PATH` replaced, words quoted where a shell would split or expand them. */
export function commandLine(words: readonly string[], path: string): string {
  return ["rea", ...words.map((word) => quoted(word === "PATH" ? path : word))].join(" ");
}

function quoted(word: string): string {
  if (/^[A-Za-z0-9_@%+=:,./-]+$/.test(word)) return word;
  // Control characters would break the line; ANSI-C quoting keeps the command on it and exact.
  if (/[\u0000-\u001F\u007F]/.test(word)) return `$'${word.replace(/[\\']/g, "\\$&").replace(/[\u0000-\u001F\u007F]/g, octal)}'`;
  return `'${word.replaceAll("'", "'\\''")}'`;
}

function octal(character: string): string {
  return `\\${character.charCodeAt(0).toString(8).padStart(3, "0")}`;
}
