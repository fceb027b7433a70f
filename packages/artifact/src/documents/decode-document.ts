import { readAssetCatalog, type AssetCatalog, type CatalogRendition } from "../apple/asset-catalog/asset-catalog.js";
import { readInterfaceDocument, type InterfaceDocument, type UndecodedNib } from "../apple/nib/interface-document.js";

/** A document to be decoded, and how much of it. */
export type DocumentTask =
  | { readonly kind: "nib"; readonly bytes: Uint8Array }
  | { readonly kind: "catalog"; readonly bytes: Uint8Array; readonly offset: number; readonly limit: number };

/** An asset catalog with some of its renditions, of which each says where in the document its data stand. */
export interface CatalogPart extends Omit<AssetCatalog, "rendition"> {
  readonly offset: number;
  readonly renditions: readonly (PlacedRendition | undefined)[];
}

export interface PlacedRendition {
  /** Its data are left out. */
  readonly found: CatalogRendition;
  readonly dataOffset: number;
  readonly dataBytes: number;
}

export type DecodedDocument =
  | { readonly kind: "nib"; readonly found: InterfaceDocument | UndecodedNib }
  | { readonly kind: "catalog"; readonly found: CatalogPart | undefined };

const noData = new Uint8Array(0);

/** Decodes a document in the thread that calls. Never throws for damage. */
export function decodeDocument(task: DocumentTask): DecodedDocument {
  if (task.kind === "nib") return { kind: "nib", found: readInterfaceDocument(task.bytes) };
  const catalog = readAssetCatalog(task.bytes);
  if (catalog === undefined) return { kind: "catalog", found: undefined };
  const { rendition, ...rest } = catalog;
  const renditions: (PlacedRendition | undefined)[] = [];
  for (let index = task.offset; index < Math.min(task.offset + task.limit, catalog.count); index += 1) renditions.push(placed(rendition(index), task.bytes));
  return { kind: "catalog", found: { ...rest, offset: task.offset, renditions } };
}

function placed(found: CatalogRendition | undefined, { byteOffset }: Uint8Array): PlacedRendition | undefined {
  if (found?.stored === undefined) return found === undefined ? undefined : { found, dataOffset: 0, dataBytes: 0 };
  const { data } = found.stored;
  return { found: { ...found, stored: { ...found.stored, data: noData } }, dataOffset: data.byteOffset - byteOffset, dataBytes: data.byteLength };
}
