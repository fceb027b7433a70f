/** One start of an element: its name without prefix, and its attributes without theirs. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  /** Text directly behind the start, up to the next mark-up; entities decoded. */
  readonly text: string;
  readonly empty: boolean;
}

/** The end of an element. */
export interface XmlEnd {
  readonly end: string;
}

// Declarations; a start or an end with its attributes. No branch looks past the next `<`.
const markup = /<[!?][^<>]*>|<(\/?)(?:[\w.-]+:)?([\w.-]+)((?:"[^"<]*"|'[^'<]*'|[^<>"'])*?)(\/?)>([^<]*)/gu;
const attribute = /(?:^|\s)(?:[\w.-]+:)?([\w.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/gu;

/** Starts and ends of elements in order. Damaged mark-up is passed over; nothing is resolved or included. */
export function* xmlElements(bytes: Uint8Array): Generator<XmlElement | XmlEnd> {
  for (const [, closing, name, fields = "", empty, text = ""] of withoutComments(textOf(bytes)).matchAll(markup)) {
    if (name === undefined) continue;
    if (closing === "/") yield { end: name };
    else yield { name, attributes: attributesOf(fields), text: decodeEntities(text), empty: empty === "/" };
  }
}

function withoutComments(text: string): string {
  let kept = "";
  let from = 0;
  for (let start = text.indexOf("<!--"); start >= 0; start = text.indexOf("<!--", from)) {
    kept += text.slice(from, start);
    const end = text.indexOf("-->", start + 4);
    from = end < 0 ? text.length : end + 3;
  }
  return kept + text.slice(from);
}

function textOf(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  return new TextDecoder().decode(bytes);
}

function attributesOf(fields: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [, name = "", double, single] of fields.matchAll(attribute)) found.set(name, decodeEntities(double ?? single ?? ""));
  return found;
}

const entities: ReadonlyMap<string, string> = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"],
]);

function decodeEntities(text: string): string {
  return text.replace(/&(?:#x([0-9a-f]{1,6})|#([0-9]{1,7})|([a-z]+));/giu, (whole, hex: string | undefined, decimal: string | undefined, name: string | undefined) => {
    if (name !== undefined) return entities.get(name) ?? whole;
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}
