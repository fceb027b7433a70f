import { derChild, derChildren, derText, octetsOf, oidOf, readDer, tags, type DerNode } from "./der.js";
import type { CmsSigner } from "./cms.js";
import { hashOfOid, oids, type HashName } from "./object-identifiers.js";
import type { PageHashEntry } from "./pe-digest.js";

/** What an Authenticode signature signs: the digest of the image, and of its pages where they are listed. */
export interface IndirectData {
  readonly algorithm: HashName | undefined;
  readonly digest: string;
  readonly pages: { readonly algorithm: HashName; readonly entries: readonly PageHashEntry[] } | undefined;
}

const mostPages = 4_194_304;

/** Reads SpcIndirectDataContent. Throws `artifact_operation_failed` (reason `format`) where it is damaged. */
export function readIndirectData(content: DerNode): IndirectData {
  const [data, message] = derChildren(derChild([content], 0, tags.sequence));
  const parts = derChildren(derChild(message === undefined ? [] : [message], 0, tags.sequence));
  const algorithm = derChildren(derChild(parts, 0, tags.sequence));
  return {
    algorithm: hashOfOid(oidOf(derChild(algorithm, 0, tags.oid))),
    digest: Buffer.from(octetsOf(derChild(parts, 1, tags.octetString))).toString("hex"),
    pages: data === undefined ? undefined : pagesOf(data),
  };
}

/** Page hashes stand as a serialised object in the place of the file's name. */
function pagesOf(data: DerNode): IndirectData["pages"] {
  const image = derChildren(data)[1];
  const link = image === undefined ? undefined : derChildren(image).find(({ tag }) => tag === 0xa0);
  const moniker = link === undefined ? undefined : derChildren(link).find(({ tag }) => tag === 0xa1);
  const serialised = moniker === undefined ? undefined : derChildren(moniker)[1];
  if (serialised === undefined) return undefined;
  const [attribute] = derChildren(readDer(octetsOf(serialised)));
  const [type, values] = attribute === undefined ? [] : derChildren(attribute);
  const algorithm = type === undefined ? undefined : pageAlgorithm(oidOf(type));
  const list = values === undefined ? undefined : derChildren(values)[0];
  if (algorithm === undefined || list === undefined) return undefined;
  return { algorithm, entries: entriesOf(Buffer.from(octetsOf(list)), algorithm === "sha1" ? 20 : 32) };
}

function pageAlgorithm(oid: string): "sha1" | "sha256" | undefined {
  if (oid === oids.pageHashesSha1) return "sha1";
  return oid === oids.pageHashesSha256 ? "sha256" : undefined;
}

function entriesOf(list: Buffer, hashBytes: number): readonly PageHashEntry[] {
  const entries: PageHashEntry[] = [];
  for (let at = 0; at + 4 + hashBytes <= list.byteLength && entries.length < mostPages; at += 4 + hashBytes) {
    entries.push({ offset: list.readUInt32LE(at), declared: list.toString("hex", at + 4, at + 4 + hashBytes) });
  }
  return entries;
}

/** Name and address that a signer gives the program (SpcSpOpusInfo). */
export function programInfo({ signed }: CmsSigner): { readonly name: string | undefined; readonly url: string | undefined } {
  const value = signed.get(oids.spcProgramInfo)?.[0];
  const fields = value === undefined ? [] : derChildren(value);
  const text = (tag: number): string | undefined => {
    const field = fields.find((one) => one.tag === tag);
    const inner = field === undefined ? undefined : derChildren(field)[0];
    if (inner === undefined) return undefined;
    // The choices are tagged implicitly: [0] is a BMP string in a name and an address in a link.
    return tag === 0xa0 && inner.tag === 0x80 ? derText({ ...inner, tag: tags.bmp }) : derText(inner);
  };
  return { name: text(0xa0), url: text(0xa1) };
}
