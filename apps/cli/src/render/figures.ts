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
  return ["rea", ...words.map((word) => quoted(word === "PATH" ? operandPath(path) : word))].join(" ");
}

/** A relative path that begins with a dash would be read as an option. */
function operandPath(path: string): string {
  return path.startsWith("-") ? `./${path}` : path;
}

/** What a terminal acts on or does not show: control, format and other invisible characters, line separators. */
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

function quoted(word: string): string {
  if (/^[A-Za-z0-9_@%+=:,./-]+$/.test(word)) return word;
  // ANSI-C quoting keeps the command on one line, visible and exact.
  if (unprintable.test(word)) return `$'${word.replace(/[\\']/g, "\\$&").replace(new RegExp(unprintable, "gu"), octal)}'`;
  return `'${word.replaceAll("'", "'\\''")}'`;
}

function octal(character: string): string {
  return [...new TextEncoder().encode(character)].map((byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("");
}
