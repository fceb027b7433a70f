/** One section of a JAR manifest or signature file (JAR File Specification, "Name-Value pairs and Sections"). */
export interface AttributeSection {
  /** As it stands in the file, with the empty line that ends it. */
  readonly bytes: Uint8Array;
  /** Names in lower case; the first of a repeated one counts. */
  readonly attributes: ReadonlyMap<string, string>;
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** Splits a manifest into its sections; the first holds the main attributes. */
export function attributeSections(bytes: Uint8Array): readonly AttributeSection[] {
  const sections: AttributeSection[] = [];
  let start = 0;
  let lines: string[] = [];
  for (let at = 0; at < bytes.byteLength; ) {
    const { end, next } = lineAt(bytes, at);
    const line = Buffer.from(bytes.buffer, bytes.byteOffset + at, end - at).toString("utf8");
    at = next;
    if (line === "") {
      if (lines.length > 0) sections.push({ bytes: bytes.subarray(start, at), attributes: attributesOf(lines) });
      start = at;
      lines = [];
    } else if (line.startsWith(" ") && lines.length > 0) lines.push(`${lines.pop() ?? ""}${line.slice(1)}`);
    else lines.push(line);
  }
  if (lines.length > 0) sections.push({ bytes: bytes.subarray(start), attributes: attributesOf(lines) });
  return sections;
}

/** Lines end with CR LF, LF or CR. */
function lineAt(bytes: Uint8Array, at: number): { readonly end: number; readonly next: number } {
  for (let end = at; end < bytes.byteLength; end += 1) {
    if (bytes[end] === lineFeed) return { end, next: end + 1 };
    if (bytes[end] === carriageReturn) return { end, next: bytes[end + 1] === lineFeed ? end + 2 : end + 1 };
  }
  return { end: bytes.byteLength, next: bytes.byteLength };
}

function attributesOf(lines: readonly string[]): ReadonlyMap<string, string> {
  const attributes = new Map<string, string>();
  for (const line of lines) {
    const colon = line.indexOf(":");
    if (colon < 1) continue;
    const name = line.slice(0, colon).toLowerCase();
    if (!attributes.has(name)) attributes.set(name, line.slice(colon + 1).trim());
  }
  return attributes;
}

/** Sections about one member each. */
export function* namedSections(sections: readonly AttributeSection[]): Generator<{ readonly name: string; readonly section: AttributeSection }> {
  for (const section of sections.slice(1)) {
    const name = section.attributes.get("name");
    if (name !== undefined) yield { name: name.normalize("NFC"), section };
  }
}
