import { formatAddress, type DispatchData, type DispatchItem, type SwiftTypeItem } from "@rea/core";
import type { BinaryImage, MetadataPlace, SwiftConformance, SwiftMetadata, SwiftProtocol, SwiftType } from "@rea/binary";
import { shownPlace } from "./objc-data.js";

type Entry = DispatchData["swift"][number];

function fullName({ module, name }: { readonly module: string | undefined; readonly name: string }): string {
  return module === undefined || module === "" ? name : `${module}.${name}`;
}

function conformanceName({ type, protocol }: SwiftConformance): string {
  return `${type ?? "?"}: ${protocol ?? "?"}`;
}

export function swiftEntries(image: BinaryImage, metadata: SwiftMetadata): Entry[] {
  const conformances = conformancesByType(metadata);
  return [
    ...metadata.types.map((type) => ({ kind: type.kind, item: typeItem(image, type, conformances.get(fullName(type)) ?? []) })),
    ...metadata.protocols.map((item) => ({ kind: "protocol" as const, item: protocolEntry(image, item) })),
    ...metadata.conformances.map((item) => ({ kind: "conformance" as const, item: conformanceEntry(image, item) })),
  ];
}

function conformancesByType({ conformances }: SwiftMetadata): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const { type, protocol } of conformances) {
    if (type === undefined || protocol === undefined) continue;
    const known = found.get(type);
    if (known === undefined) found.set(type, [protocol]);
    else known.push(protocol);
  }
  return found;
}

function plainItem(image: BinaryImage, place: MetadataPlace, name: string, module: string | undefined): SwiftTypeItem {
  return {
    name,
    module: module ?? null,
    ...shownPlace(image, place),
    generic: null,
    superclass: null,
    conforms_to: [],
    fields: [],
    field_count: null,
    virtual_methods: null,
  };
}

function typeItem(image: BinaryImage, type: SwiftType, conformsTo: readonly string[]): SwiftTypeItem {
  return {
    ...plainItem(image, type.place, type.name, type.module),
    generic: type.generic,
    superclass: type.superclass ?? null,
    conforms_to: [...conformsTo],
    fields: type.fields.map(({ name, type: of, variable }) => ({ name: name ?? null, type: of ?? null, variable })),
    field_count: type.fields.length,
    virtual_methods: type.kind === "class" && !type.generic ? type.virtualMethods.length : null,
  };
}

function protocolEntry(image: BinaryImage, { name, module, place }: SwiftProtocol): SwiftTypeItem {
  return plainItem(image, place, name, module);
}

function conformanceEntry(image: BinaryImage, item: SwiftConformance): SwiftTypeItem {
  return plainItem(image, item.place, conformanceName(item), undefined);
}

export function swiftRows(image: BinaryImage, metadata: SwiftMetadata): DispatchItem[] {
  const rows: DispatchItem[] = [];
  const row = (kind: DispatchItem["kind"], place: MetadataPlace, more: Partial<DispatchItem> & { readonly name: string }) =>
    rows.push({ kind, owner: null, detail: null, implementation: null, ...shownPlace(image, place), ...more });
  for (const type of metadata.types) {
    const owner = fullName(type);
    row("swift_type", type.place, { name: owner, detail: type.kind });
    for (const { name, type: of, place } of type.fields) row("swift_field", place, { name: name ?? "", owner, detail: of ?? null });
    for (const { slot, kind, implementation: va, place } of type.virtualMethods) {
      const implementation = va === undefined ? null : formatAddress(va);
      row("swift_virtual_method", place, { name: `slot ${String(slot)}`, owner, detail: kind, implementation });
    }
  }
  for (const item of metadata.protocols) row("swift_protocol", item.place, { name: fullName(item) });
  for (const item of metadata.conformances) {
    row("swift_conformance", item.place, { name: conformanceName(item), owner: item.type ?? null, detail: item.protocol ?? null });
  }
  return rows;
}
