import { XmlScanner, type XmlToken } from "../../reading/xml-scanner.js";

/** A checksum as the table of contents writes it. */
export interface XarChecksum {
  readonly style: string;
  readonly text: string;
}

/** Bytes of the heap: a file's data, an extended attribute, a checksum or a signature. */
export interface XarPiece {
  readonly role: "data" | "ea" | "checksum" | "signature" | "x-signature";
  /** Of the bytes in the heap. */
  length: number | undefined;
  /** From the heap's start. */
  offset: number | undefined;
  /** Of the content that comes out. */
  size: number | undefined;
  encoding: string | undefined;
  style: string;
  archived: XarChecksum | undefined;
  extracted: XarChecksum | undefined;
}

/** A `file` element, which stands for members of every kind. */
export interface XarFile {
  readonly parent: XarFile | undefined;
  readonly id: string | undefined;
  name: Buffer | undefined;
  type: string;
  /** Of a hard link: the id of the file it is another name of, or "original". */
  linkId: string | undefined;
  linkTarget: string | undefined;
  mode: number | undefined;
  data: XarPiece | undefined;
  attributes: number;
}

export interface XarToc {
  /** In the order of the table, directories before what is in them. */
  readonly files: XarFile[];
  readonly pieces: XarPiece[];
  checksum: XarPiece | undefined;
}

type Role = XarPiece["role"];
const tocRoles: ReadonlySet<string> = new Set<Role>(["checksum", "signature", "x-signature"]);
const fileRoles: ReadonlySet<string> = new Set<Role>(["data", "ea"]);
const longestText = 65_536;

interface Frame {
  readonly element: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly file: XarFile | undefined;
  readonly piece: XarPiece | undefined;
  text: string;
}

/** Reads a table of contents into `toc`, which holds everything before the place where the document breaks. */
export function readXarToc(text: string, toc: XarToc): void {
  const scanner = new XmlScanner(text);
  const frames: Frame[] = [];
  for (let token = scanner.next(); token !== undefined; token = scanner.next()) {
    const top = frames.at(-1);
    if (token.kind === "open") {
      const frame = opened(toc, top, token);
      if (token.isEmpty) settle(frame, top);
      else frames.push(frame);
    } else if (token.kind === "close") {
      const frame = frames.pop();
      if (frame !== undefined) settle(frame, frames.at(-1));
    } else if (top !== undefined && top.text.length < longestText) top.text += token.text;
  }
}

function opened(toc: XarToc, top: Frame | undefined, { name, attributes }: Extract<XmlToken, { kind: "open" }>): Frame {
  const base = { element: name, attributes, text: "" };
  const insideFile = top?.element === "file" && top.piece === undefined;
  const insideToc = top?.element === "toc" && top.file === undefined;
  if (name === "file" && (insideFile || insideToc)) return { ...base, file: addFile(toc, top.file, attributes), piece: undefined };
  if ((insideFile && fileRoles.has(name)) || (insideToc && tocRoles.has(name))) {
    return { ...base, file: top.file, piece: addPiece(toc, top.file, name, attributes) };
  }
  return { ...base, file: top?.file, piece: top?.piece };
}

function addFile(toc: XarToc, parent: XarFile | undefined, attributes: ReadonlyMap<string, string>): XarFile {
  const file: XarFile = { parent, id: attributes.get("id"), name: undefined, type: "file", linkId: undefined, linkTarget: undefined, mode: undefined, data: undefined, attributes: 0 };
  toc.files.push(file);
  return file;
}

function addPiece(toc: XarToc, file: XarFile | undefined, element: string, attributes: ReadonlyMap<string, string>): XarPiece {
  const role: Role = element === "data" || element === "ea" || element === "checksum" || element === "signature" ? element : "x-signature";
  const piece: XarPiece = { role, length: undefined, offset: undefined, size: undefined, encoding: undefined, style: attributes.get("style") ?? "", archived: undefined, extracted: undefined };
  toc.pieces.push(piece);
  if (role === "data" && file !== undefined) file.data = piece;
  if (role === "ea" && file !== undefined) file.attributes += 1;
  if (role === "checksum") toc.checksum ??= piece;
  return piece;
}

/** Takes what an element says once it is closed; only direct children of a file or piece say something. */
function settle(frame: Frame, parent: Frame | undefined): void {
  if (parent === undefined) return;
  const { piece, file } = parent;
  if (piece !== undefined) {
    if (isRole(parent.element)) pieceField(piece, frame);
  } else if (file !== undefined && parent.element === "file") fileField(file, frame);
}

function isRole(element: string): boolean {
  return tocRoles.has(element) || fileRoles.has(element);
}

function pieceField(piece: XarPiece, { element, attributes, text }: Frame): void {
  const style = attributes.get("style") ?? "";
  switch (element) {
    case "length":
    case "offset":
    case "size":
      piece[element] = wholeNumber(text);
      return;
    case "encoding":
      piece.encoding = style;
      return;
    case "archived-checksum":
      piece.archived = { style, text: text.trim() };
      return;
    case "extracted-checksum":
    case "unarchived-checksum":
      piece.extracted = { style, text: text.trim() };
      return;
    default:
  }
}

function fileField(file: XarFile, { element, attributes, text }: Frame): void {
  switch (element) {
    case "name":
      file.name = attributes.get("enctype") === "base64" ? Buffer.from(text, "base64") : Buffer.from(text);
      return;
    case "type":
      file.type = text.trim();
      file.linkId = attributes.get("link");
      return;
    case "link":
      file.linkTarget = text;
      return;
    case "mode":
      file.mode = /^\s*[0-7]{1,7}\s*$/.test(text) ? Number.parseInt(text, 8) : undefined;
      return;
    default:
  }
}

function wholeNumber(text: string): number | undefined {
  const digits = /^\s*(\d{1,16})\s*$/.exec(text)?.[1];
  const value = Number(digits);
  return digits !== undefined && Number.isSafeInteger(value) ? value : undefined;
}
