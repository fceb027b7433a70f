import { BomStore, type BomBlock, type CatalogFinding } from "./bom-store.js";
import { catalogHeader, catalogMetadata, keyFormat, keyFormatNames, type CatalogHeader, type CatalogMetadata } from "./catalog-header.js";
import { attributeName, idiomName } from "./catalog-words.js";
import { readRendition, type StoredRendition } from "./rendition.js";

export interface CatalogRendition {
  /** Name of the asset that it is a variant of; null where no name leads to it. */
  readonly name: string | null;
  readonly idiom: string | null;
  /** `any`, or the name of the appearance it is for. */
  readonly appearance: string;
  /** The other attributes of its key that are not zero. */
  readonly attributes: readonly (readonly [name: string, value: number])[];
  /** Undefined when the block is no structured image. */
  readonly stored: StoredRendition | undefined;
  readonly offset: number;
  readonly storedBytes: number;
}

export interface AssetCatalog {
  readonly header: CatalogHeader | undefined;
  readonly metadata: CatalogMetadata | undefined;
  readonly keyFormat: readonly string[];
  readonly variables: readonly { readonly name: string; readonly bytes: number | null; readonly examined: boolean }[];
  /** Names of assets, sorted. */
  readonly names: readonly string[];
  /** Renditions in the order of the catalog's tree. */
  readonly count: number;
  rendition(index: number): CatalogRendition | undefined;
  /** Grows while renditions are read. */
  readonly findings: readonly CatalogFinding[];
}

const mostEntries = 1_000_000;
const examined: ReadonlySet<string> = new Set(["CARHEADER", "EXTENDED_METADATA", "KEYFORMAT", "KEYFORMATWORKAROUND", "FACETKEYS", "APPEARANCEKEYS", "RENDITIONS"]);
const told: ReadonlySet<string> = new Set(["appearance", "idiom", "identifier", "scale"]);

/** Whether bytes are a store that holds an asset catalog. */
export function isAssetCatalog(bytes: Uint8Array): boolean {
  const store = BomStore.open(bytes);
  return store !== undefined && holdsCatalog(store);
}

function holdsCatalog({ variables }: BomStore): boolean {
  return variables.has("CARHEADER") || variables.has("RENDITIONS");
}

/** A compiled asset catalog (`.car`); undefined for bytes that are no store or a store of something else. */
export function readAssetCatalog(bytes: Uint8Array): AssetCatalog | undefined {
  const store = BomStore.open(bytes);
  if (store === undefined || !holdsCatalog(store)) return undefined;
  const header = catalogHeader(store);
  const tokens = keyFormat(store);
  const names = facetNames(store);
  const appearances = appearanceNames(store);
  const entries = bounded(store, "RENDITIONS");
  if (header !== undefined && header.renditionCount !== entries.length) {
    store.note("count_mismatch", `The header counts ${String(header.renditionCount)} renditions, the tree holds ${String(entries.length)}.`, null);
  }
  return {
    header,
    metadata: catalogMetadata(store),
    keyFormat: keyFormatNames(tokens),
    variables: [...store.variables].map(([name, index]) => ({ name, bytes: store.block(index)?.bytes.byteLength ?? null, examined: examined.has(name) })),
    names: [...new Set(names.values())].sort((a, b) => (a < b ? -1 : 1)),
    count: entries.length,
    rendition: (index) => {
      const entry = entries[index];
      return entry === undefined ? undefined : rendition(entry, { tokens, names, appearances });
    },
    findings: store.findings,
  };
}

function bounded(store: BomStore, tree: string): { readonly key: BomBlock; readonly value: BomBlock }[] {
  const entries = [];
  for (const entry of store.tree(tree)) {
    if (entries.length >= mostEntries) {
      store.note("too_many", "A tree has more entries than are read.", null);
      break;
    }
    entries.push(entry);
  }
  return entries;
}

/** Names by the identifier that the renditions of the asset carry. */
function facetNames(store: BomStore): ReadonlyMap<number, string> {
  const names = new Map<number, string>();
  for (const { key, value } of bounded(store, "FACETKEYS")) {
    const identifier = identifierIn(value.bytes);
    if (identifier === undefined) store.note("malformed", "A name of an asset leads to no identifier.", value.offset);
    else names.set(identifier, Buffer.from(key.bytes).toString("utf8").replace(/\0+$/, ""));
  }
  return names;
}

/** Hot spot, count, then pairs of attribute and value. */
function identifierIn(bytes: Uint8Array): number | undefined {
  if (bytes.byteLength < 6) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const count = Math.min(view.getUint16(4, true), Math.floor((bytes.byteLength - 6) / 4));
  for (let index = 0; index < count; index += 1) {
    if (attributeName(view.getUint16(6 + index * 4, true)) === "identifier") return view.getUint16(8 + index * 4, true);
  }
  return undefined;
}

function appearanceNames(store: BomStore): ReadonlyMap<number, string> {
  const names = new Map<number, string>();
  for (const { key, value } of bounded(store, "APPEARANCEKEYS")) {
    if (value.bytes.byteLength < 2) continue;
    const view = new DataView(value.bytes.buffer, value.bytes.byteOffset, value.bytes.byteLength);
    names.set(view.getUint16(0, true), Buffer.from(key.bytes).toString("utf8").replace(/\0+$/, ""));
  }
  return names;
}

interface KeyWords {
  readonly tokens: readonly number[];
  readonly names: ReadonlyMap<number, string>;
  readonly appearances: ReadonlyMap<number, string>;
}

/** A key holds one number of two bytes for each attribute of the format. */
function rendition({ key, value }: { readonly key: BomBlock; readonly value: BomBlock }, { tokens, names, appearances }: KeyWords): CatalogRendition {
  const view = new DataView(key.bytes.buffer, key.bytes.byteOffset, key.bytes.byteLength);
  const attributes = tokens.flatMap((token, index): (readonly [string, number])[] =>
    index * 2 + 2 <= key.bytes.byteLength ? [[attributeName(token), view.getUint16(index * 2, true)]] : [],
  );
  const of = (wanted: string) => attributes.find(([name]) => name === wanted)?.[1];
  const [identifier, idiom, appearance] = [of("identifier"), of("idiom"), of("appearance") ?? 0];
  return {
    name: identifier === undefined ? null : (names.get(identifier) ?? null),
    idiom: idiom === undefined ? null : idiomName(idiom),
    appearance: appearances.get(appearance) ?? (appearance === 0 ? "any" : `appearance_${String(appearance)}`),
    attributes: attributes.filter(([name, number]) => number !== 0 && !told.has(name)),
    stored: readRendition(value),
    offset: value.offset,
    storedBytes: value.bytes.byteLength,
  };
}
