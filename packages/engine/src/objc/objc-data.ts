import { formatAddress, type DispatchItem, type ObjcClassItem, type ObjcProtocolItem } from "@rea/core";
import type {
  BinaryImage,
  MetadataPlace,
  ObjcCategory,
  ObjcClass,
  ObjcIvar,
  ObjcMetadata,
  ObjcMethod,
  ObjcProperty,
  ObjcProtocol,
} from "@rea/binary";

type Row = DispatchItem;

/** The name of a method as symbols spell it, with the category where it comes from one. */
export function methodName(owner: string, { scope, selector }: ObjcMethod): string {
  return `${scope === "class" ? "+" : "-"}[${owner} ${selector}]`;
}

/** `Class(Category)`, as symbols spell it. */
export function categoryOwner({ className, name }: ObjcCategory): string {
  return `${className ?? "?"}(${name})`;
}

/** Where a record stands, as results show it: offsets count from the start of the file on disk. */
export function shownPlace(image: BinaryImage, { va, fileOffset }: MetadataPlace) {
  return { basis: "metadata" as const, address: formatAddress(va), file_offset: image.sourceOffset + fileOffset };
}

/** Classes the image defines, then those it only uses. */
export function classItems(image: BinaryImage, metadata: ObjcMetadata): ObjcClassItem[] {
  const defined = metadata.classes.map((item) => classItem(image, item));
  const known = new Set(metadata.classes.map(({ name }) => name));
  const used = [...new Set(metadata.classReferences.map(({ name }) => name))].filter((name) => !known.has(name));
  return [...defined, ...used.map(usedClass)];
}

function classItem(image: BinaryImage, item: ObjcClass): ObjcClassItem {
  return {
    name: item.name,
    ...shownPlace(image, item.place),
    superclass: item.superclass ?? null,
    swift: item.swift,
    imported: false,
    instance_size: item.instanceSize,
    instance_methods: item.methods.filter(({ scope }) => scope === "instance").length,
    class_methods: item.methods.filter(({ scope }) => scope === "class").length,
    ivars: item.ivars.length,
    properties: item.properties.length,
    protocols: [...item.protocols],
  };
}

function usedClass(name: string): ObjcClassItem {
  return {
    name,
    basis: "metadata",
    address: null,
    file_offset: null,
    superclass: null,
    swift: null,
    imported: true,
    instance_size: null,
    instance_methods: null,
    class_methods: null,
    ivars: null,
    properties: null,
    protocols: [],
  };
}

export function protocolItem(image: BinaryImage, item: ObjcProtocol): ObjcProtocolItem {
  const optional = item.methods.filter((method) => method.optional).length;
  return {
    name: item.name,
    ...shownPlace(image, item.place),
    protocols: [...item.protocols],
    required_methods: item.methods.length - optional,
    optional_methods: optional,
    properties: item.properties.length,
  };
}

interface Members {
  readonly methods: readonly ObjcMethod[];
  readonly properties: readonly ObjcProperty[];
  readonly ivars?: readonly ObjcIvar[];
}

/** One row for each thing, those of a class or protocol after it. */
export function objcRows(image: BinaryImage, metadata: ObjcMetadata): Row[] {
  const rows: Row[] = [];
  const row = (kind: Row["kind"], place: MetadataPlace, more: Partial<Row> & { readonly name: string }) =>
    rows.push({ kind, owner: null, detail: null, implementation: null, ...shownPlace(image, place), ...more });
  const members = (owner: string, { methods, properties, ivars }: Members) => {
    for (const method of methods) {
      const { implementation: va, types } = method;
      const implementation = va === undefined ? null : formatAddress(va);
      row("objc_method", method.place, { name: methodName(owner, method), owner, detail: types ?? null, implementation });
    }
    for (const { place, name, type } of ivars ?? []) row("objc_ivar", place, { name: name ?? "", owner, detail: type ?? null });
    for (const { place, name, attributes } of properties) {
      row("objc_property", place, { name: name ?? "", owner, detail: attributes ?? null });
    }
  };
  for (const item of metadata.classes) {
    row("objc_class", item.place, { name: item.name, detail: item.superclass ?? null });
    members(item.name, item);
  }
  for (const item of metadata.categories) {
    row("objc_category", item.place, { name: item.name, owner: item.className ?? null });
    members(categoryOwner(item), item);
  }
  for (const item of metadata.protocols) {
    row("objc_protocol", item.place, { name: item.name, detail: item.protocols.length > 0 ? item.protocols.join(", ") : null });
    members(item.name, item);
  }
  for (const { name, place } of metadata.selectorReferences) row("objc_selector_reference", place, { name });
  for (const { name, place } of metadata.classReferences) row("objc_class_reference", place, { name });
  return rows;
}
