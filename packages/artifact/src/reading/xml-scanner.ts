import { brokenData } from "../codecs/broken-data.js";

export type XmlToken =
  | { readonly kind: "open"; readonly name: string; readonly attributes: ReadonlyMap<string, string>; readonly isEmpty: boolean }
  | { readonly kind: "close"; readonly name: string }
  | { readonly kind: "text"; readonly text: string };

const nameChars = "[A-Za-z_:][\\w:.\\-]*";
const tagName = new RegExp(nameChars, "y");
const attribute = new RegExp(`\\s+(${nameChars})\\s*=\\s*(?:"([^"<]*)"|'([^'<]*)')`, "y");
const tagEnd = /\s*(\/?)>/y;
const closing = new RegExp(`(${nameChars})\\s*>`, "y");
const references: ReadonlyMap<string, string> = new Map([["amp", "&"], ["lt", "<"], ["gt", ">"], ["quot", '"'], ["apos", "'"]]);

/** Elements nested deeper are refused. */
const deepest = 1000;

/**
 * Takes an XML document apart piece by piece, in one pass and without keeping any of it. Strict where readings could
 * differ: tags must nest, references must be known, a document type may not define anything. Throws
 * `artifact_operation_failed` (reason `format`, offset in characters) where the document breaks; what came before stays valid.
 */
export class XmlScanner {
  readonly #text: string;
  readonly #open: string[] = [];
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** The next tag or text; undefined at the end of the document. */
  next(): XmlToken | undefined {
    for (;;) {
      if (this.#at >= this.#text.length) return this.#end();
      if (this.#text[this.#at] !== "<") return this.#characters();
      if (this.#text.startsWith("<!--", this.#at)) this.#skip("-->", 4);
      else if (this.#text.startsWith("<?", this.#at)) this.#skip("?>", 2);
      else if (this.#text.startsWith("<![CDATA[", this.#at)) return this.#cdata();
      else if (this.#text.startsWith("<!", this.#at)) this.#documentType();
      else return this.#text[this.#at + 1] === "/" ? this.#close() : this.#tag();
    }
  }

  #end(): undefined {
    if (this.#open.length > 0) throw this.#broken("An XML document ends inside an element");
    return undefined;
  }

  #characters(): XmlToken {
    const next = this.#text.indexOf("<", this.#at);
    const end = next < 0 ? this.#text.length : next;
    const text = this.#text.slice(this.#at, end);
    if (this.#open.length === 0 && text.trim() !== "" && text !== "\uFEFF") throw this.#broken("An XML document has text outside its element");
    const decoded = this.#decode(text);
    this.#at = end;
    return { kind: "text", text: decoded };
  }

  #cdata(): XmlToken {
    const start = this.#at + 9;
    this.#skip("]]>", 9);
    return { kind: "text", text: this.#text.slice(start, this.#at - 3) };
  }

  #documentType(): void {
    const start = this.#at;
    this.#skip(">", 2);
    if (!this.#text.startsWith("<!DOCTYPE", start)) throw this.#broken("An XML document has a declaration out of place");
    if (this.#text.slice(start, this.#at).includes("[")) throw this.#broken("An XML document defines its own entities or elements");
  }

  #tag(): XmlToken {
    this.#at += 1;
    const name = this.#match(tagName, "An XML tag has no name")[0];
    const attributes = new Map<string, string>();
    for (let found = this.#try(attribute); found !== undefined; found = this.#try(attribute)) {
      const [, key = "", double, single] = found;
      if (attributes.has(key)) throw this.#broken("An XML tag has an attribute twice");
      attributes.set(key, this.#decode(double ?? single ?? ""));
    }
    const isEmpty = this.#match(tagEnd, "An XML tag is malformed")[1] === "/";
    if (!isEmpty && this.#open.push(name) > deepest) throw this.#broken("An XML document is nested too deep");
    return { kind: "open", name, attributes, isEmpty };
  }

  #close(): XmlToken {
    this.#at += 2;
    const name = this.#match(closing, "An XML end tag is malformed")[1] ?? "";
    if (this.#open.pop() !== name) throw this.#broken("An XML end tag does not belong to the open element");
    return { kind: "close", name };
  }

  #decode(text: string): string {
    if (!text.includes("&")) return text;
    return text.replace(/&([^;&<]{0,12})(;?)/g, (_whole, name: string, end: string) => {
      const decoded = end === "" ? undefined : (references.get(name) ?? character(name));
      if (decoded === undefined) throw this.#broken("An XML document has a reference that means nothing");
      return decoded;
    });
  }

  #skip(end: string, from: number): void {
    const found = this.#text.indexOf(end, this.#at + from);
    if (found < 0) throw this.#broken("An XML document ends inside a comment, instruction or declaration");
    this.#at = found + end.length;
  }

  #try(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (found === null) return undefined;
    this.#at += found[0].length;
    return found;
  }

  #match(pattern: RegExp, otherwise: string): RegExpExecArray {
    const found = this.#try(pattern);
    if (found === undefined) throw this.#broken(otherwise);
    return found;
  }

  #broken(what: string): Error {
    return brokenData(`${what}, at character ${String(this.#at)}.`, this.#at);
  }
}

function character(name: string): string | undefined {
  const code = /^#x[0-9a-fA-F]{1,6}$/.test(name) ? Number.parseInt(name.slice(2), 16) : /^#\d{1,7}$/.test(name) ? Number(name.slice(1)) : undefined;
  return code === undefined || code > 0x10ffff ? undefined : String.fromCodePoint(code);
}
