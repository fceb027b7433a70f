import type { Omission } from "../omission.js";
import type { DispatchItem, DispatchKind, ObjcClassItem, ObjcProtocolItem, SwiftTypeItem } from "../operations/dispatch-metadata.js";
import { swiftNominalSymbol, type SwiftNominal } from "../swift-names.js";
import type { DispatchData } from "./dispatch-data.js";

/** A symbol as any provider can name it; `name` is unescaped. */
export interface SymbolName {
  readonly name: string;
  /** `0x…`; null for symbols of other images. */
  readonly address: string | null;
  readonly file_offset: number | null;
  readonly imported: boolean;
}

type Found = Pick<DispatchItem, "name" | "owner" | "detail"> & { readonly kind: DispatchKind };

/** What names of symbols say about Objective-C and Swift; every item is marked `symbols`. */
export function dispatchFromSymbols(symbols: readonly SymbolName[], omissions: readonly Omission[]): DispatchData {
  const items = new Map<string, { readonly found: Found; readonly symbol: SymbolName; readonly nominal: SwiftNominal | undefined }>();
  for (const symbol of symbols) {
    const nominal = swiftNominalSymbol(symbol.name);
    const found = nominal === undefined ? objcSymbol(symbol.name) : swiftSymbol(nominal);
    if (found === undefined) continue;
    const key = `${found.kind} ${found.owner ?? ""} ${found.name}`;
    const known = items.get(key);
    // A definition says more than an import of the same thing.
    if (known === undefined || (known.symbol.imported && !symbol.imported)) items.set(key, { found, symbol, nominal });
  }
  const all = [...items.values()];
  return {
    classes: all.flatMap(({ found, symbol }) => (found.kind === "objc_class" ? [classItem(found, symbol)] : [])),
    protocols: all.flatMap(({ found, symbol }) => (found.kind === "objc_protocol" ? [protocolItem(found, symbol)] : [])),
    swift: all.flatMap(({ nominal, symbol }) =>
      nominal === undefined ? [] : [{ kind: nominal.kind, item: swiftItem(nominal, symbol) }],
    ),
    dispatch: all.map(({ found, symbol }) => dispatchItem(found, symbol)),
    objcOmissions: omissions,
    swiftOmissions: omissions,
  };
}

/** Names that Apple's and GNUstep's compilers give to classes, protocols, instance variables and methods. */
function objcSymbol(name: string): Found | undefined {
  const method = /^([-+])\[(\S+) (\S+)\]$/.exec(name);
  if (method !== null) return { kind: "objc_method", name, owner: (method[2] ?? "").replace(/\(.*$/, ""), detail: null };
  const known = /^[._]*(?:OBJC_(CLASS|PROTOCOL|IVAR|CATEGORY)_(?:\$_)?|objc_(class)_name_)(.+)$/.exec(name);
  const rest = known?.[3];
  if (known === null || rest === undefined || rest.startsWith("RO_")) return undefined;
  if (known[1] === "PROTOCOL") return { kind: "objc_protocol", name: rest, owner: null, detail: null };
  if (known[1] !== "IVAR" && known[1] !== "CATEGORY") return { kind: "objc_class", name: rest, owner: null, detail: null };
  const cut = /^(.+?)(?:\.|_\$_)(.+)$/.exec(rest);
  if (cut === null) return undefined;
  const kind = known[1] === "IVAR" ? "objc_ivar" : "objc_category";
  return { kind, name: cut[2] ?? "", owner: cut[1] ?? "", detail: null };
}

function swiftSymbol({ kind, module, name }: SwiftNominal): Found {
  const full = module === undefined ? name : `${module}.${name}`;
  return kind === "protocol"
    ? { kind: "swift_protocol", name: full, owner: null, detail: null }
    : { kind: "swift_type", name: full, owner: null, detail: kind };
}

function place({ address, file_offset }: SymbolName) {
  return { basis: "symbols" as const, address, file_offset };
}

function classItem({ name }: Found, symbol: SymbolName): ObjcClassItem {
  return {
    name,
    ...place(symbol),
    superclass: null,
    swift: null,
    imported: symbol.imported,
    instance_size: null,
    instance_methods: null,
    class_methods: null,
    ivars: null,
    properties: null,
    protocols: [],
  };
}

function protocolItem({ name }: Found, symbol: SymbolName): ObjcProtocolItem {
  return { name, ...place(symbol), protocols: [], required_methods: null, optional_methods: null, properties: null };
}

function swiftItem({ module, name }: SwiftNominal, symbol: SymbolName): SwiftTypeItem {
  return {
    name,
    module: module ?? null,
    ...place(symbol),
    generic: null,
    superclass: null,
    conforms_to: [],
    fields: [],
    field_count: null,
    virtual_methods: null,
  };
}

function dispatchItem(found: Found, symbol: SymbolName): DispatchItem {
  const { kind, name, owner, detail } = found;
  const implementation = kind === "objc_method" ? symbol.address : null;
  return { kind, name, owner, detail, ...place(symbol), implementation };
}
