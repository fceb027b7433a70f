export const arHeaderBytes = 60;
export const arMagicBytes = 8;

/** One member header (ar(5): text fields padded with blanks). */
export interface ArHeader {
  /** The name field without the blanks at its end. */
  readonly field: string;
  readonly size: number;
  readonly mode: number | undefined;
}

/** Reads a header; undefined when it lacks its end mark or its size is no number. */
export function parseArHeader(bytes: Uint8Array): ArHeader | undefined {
  const text = Buffer.from(bytes).toString("latin1");
  const size = /^\d{1,10} *$/.test(text.slice(48, 58)) ? Number(text.slice(48, 58)) : undefined;
  if (text.length < arHeaderBytes || text.slice(58) !== "`\n" || size === undefined) return undefined;
  const mode = /^[0-7]+/.exec(text.slice(40, 48))?.[0];
  return { field: text.slice(0, 16).replace(/ +$/, ""), size, mode: mode === undefined ? undefined : Number.parseInt(mode, 8) };
}

/** Tables of the archive itself: symbols (System V, 64-bit, BSD) and long names. */
export function isArTable(name: string): boolean {
  return name === "/" || name === "//" || name === "/SYM64/" || /^__\.SYMDEF(?:_64)?(?: SORTED)?$/.test(name);
}
