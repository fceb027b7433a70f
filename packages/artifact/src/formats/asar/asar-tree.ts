import type { EntryName } from "../../format.js";
import type { JsonScanner, Scalar } from "./json-scanner.js";
import { readIntegrity, type Integrity } from "./integrity.js";

/** A file, link or directory as the header has it. */
export interface AsarNode {
  readonly name: EntryName;
  readonly isDirectory: boolean;
  readonly size: Scalar | undefined;
  readonly offset: Scalar | undefined;
  readonly link: Scalar | undefined;
  readonly unpacked: boolean;
  readonly executable: boolean;
  readonly integrity: Integrity | undefined;
  /** One key of the header holds a slash, so the name has more segments than the tree. */
  readonly slashed: boolean;
}

/** What is told beside nodes. */
export interface TreeReport {
  /** A directory's members that are nested too deep were passed over. */
  tooDeep(name: EntryName): void;
  /** A node is a directory and has a file's fields as well. */
  bothKinds(name: EntryName): void;
}

/** Deeper directories are passed over: no path of that many segments is usable. */
export const deepestDirectory = 256;

/** Everything below the root in the header's order, a directory before its members. Throws where the JSON breaks. */
export function* asarTree(scanner: JsonScanner, report: TreeReport): Generator<AsarNode, void, undefined> {
  for (const key of scanner.keys()) {
    if (key.text === "files" && scanner.next() === "object") yield* members(scanner, report, { prefix: undefined, slashed: false, depth: 0 });
    else scanner.skip();
  }
}

interface Parent {
  readonly prefix: EntryName | undefined;
  readonly slashed: boolean;
  readonly depth: number;
}

function* members(scanner: JsonScanner, report: TreeReport, parent: Parent): Generator<AsarNode, void, undefined> {
  for (const key of scanner.keys()) {
    const name = joined(parent.prefix, key);
    const slashed = parent.slashed || key.bytes.includes(0x2f);
    if (scanner.next() === "object") yield* node(scanner, report, { ...parent, prefix: name, slashed });
    else scanner.skip();
  }
}

interface Fields {
  size: Scalar | undefined;
  offset: Scalar | undefined;
  link: Scalar | undefined;
  unpacked: boolean;
  executable: boolean;
  integrity: Integrity | undefined;
}

function* node(scanner: JsonScanner, report: TreeReport, own: Parent & { readonly prefix: EntryName }): Generator<AsarNode, void, undefined> {
  const fields: Fields = { size: undefined, offset: undefined, link: undefined, unpacked: false, executable: false, integrity: undefined };
  let isDirectory = false;
  for (const key of scanner.keys()) {
    if (key.text !== "files" || scanner.next() !== "object") {
      takeField(scanner, fields, key.text);
      continue;
    }
    if (!isDirectory) yield { name: own.prefix, slashed: own.slashed, ...fields, isDirectory: true };
    isDirectory = true;
    if (own.depth + 1 < deepestDirectory) yield* members(scanner, report, { ...own, depth: own.depth + 1 });
    else {
      report.tooDeep(own.prefix);
      scanner.skip();
    }
  }
  if (!isDirectory) yield { name: own.prefix, slashed: own.slashed, ...fields, isDirectory };
  else if (fields.offset !== undefined || fields.link !== undefined) report.bothKinds(own.prefix);
}

function takeField(scanner: JsonScanner, fields: Fields, key: string | undefined): void {
  switch (key) {
    case "size":
    case "offset":
    case "link":
      fields[key] = scanner.scalar();
      return;
    case "unpacked":
    case "executable":
      fields[key] = scanner.scalar().kind === "true";
      return;
    case "integrity":
      fields.integrity = readIntegrity(scanner);
      return;
    default:
      scanner.skip();
  }
}

function joined(prefix: EntryName | undefined, key: EntryName): EntryName {
  if (prefix === undefined) return key;
  const bytes = Buffer.concat([prefix.bytes, slash, key.bytes]);
  return { bytes, text: prefix.text === undefined || key.text === undefined ? undefined : `${prefix.text}/${key.text}` };
}

const slash = Buffer.from("/");
