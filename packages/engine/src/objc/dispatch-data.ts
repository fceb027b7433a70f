import { dispatchFromSymbols, formatAddress, omission, type DispatchData, type Omission, type SymbolName } from "@rea/core";
import { readObjcMetadata, readSwiftMetadata, type BinaryImage } from "@rea/binary";
import { classItems, objcRows, protocolItem } from "./objc-data.js";
import { swiftEntries, swiftRows } from "./swift-data.js";

const known = new WeakMap<BinaryImage, DispatchData>();

/** Objective-C and Swift metadata of an image; for a language without metadata, what symbols say. Made once for each image. */
export function dispatchDataOf(image: BinaryImage): DispatchData {
  const made = known.get(image) ?? collect(image);
  known.set(image, made);
  return made;
}

function collect(image: BinaryImage): DispatchData {
  const objc = readObjcMetadata(image);
  const swift = readSwiftMetadata(image);
  const omissions = [...image.symbols().omissions, ...formatOmissions(image)];
  const named = dispatchFromSymbols(objc.present && swift.present ? [] : symbolNames(image), omissions);
  const isSwift = (kind: string) => kind.startsWith("swift_");
  return {
    classes: objc.present ? classItems(image, objc) : named.classes,
    protocols: objc.present ? objc.protocols.map((item) => protocolItem(image, item)) : named.protocols,
    swift: swift.present ? swiftEntries(image, swift) : named.swift,
    dispatch: [
      ...(objc.present ? objcRows(image, objc) : named.dispatch.filter(({ kind }) => !isSwift(kind))),
      ...(swift.present ? swiftRows(image, swift) : named.dispatch.filter(({ kind }) => isSwift(kind))),
    ],
    objcOmissions: objc.present ? objc.omissions : [...objc.omissions, ...omissions],
    swiftOmissions: swift.present ? swift.omissions : [...swift.omissions, ...omissions],
  };
}

function formatOmissions({ format }: BinaryImage): Omission[] {
  if (format === "mach-o") return [];
  const how_to_continue = "Metadata is read from Mach-O files; here only names of symbols were read.";
  return [omission("runtime metadata", "unsupported_format", { how_to_continue })];
}

function symbolNames(image: BinaryImage): SymbolName[] {
  const names = image.symbols().items.map(({ name, va, defined }): SymbolName => ({
    name,
    address: defined && va !== undefined ? formatAddress(va) : null,
    file_offset: null,
    imported: !defined,
  }));
  const exported = image.exports().items.flatMap(({ name, va }): SymbolName[] =>
    name === undefined || va === undefined ? [] : [{ name, address: formatAddress(va), file_offset: null, imported: false }],
  );
  return [...names, ...exported];
}
