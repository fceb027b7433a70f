import { address, type Address } from "@rea/core";
import type { ImageSymbol } from "../image.js";
import type { ElfFile } from "./elf-file.js";
import { specialSections, symbolBindings, symbolTypes, symbolWidth, type ElfSymbol } from "./symbols.js";
import type { VersionInfo } from "./versions.js";

/** Symbols of the model, entry 0 (which is no symbol) left out. */
export function symbolRows(
  file: ElfFile,
  table: "symtab" | "dynsym",
  symbols: readonly ElfSymbol[],
  versions: VersionInfo | undefined,
): readonly ImageSymbol[] {
  const size = symbolWidth(file);
  return symbols.slice(1).map((symbol): ImageSymbol => {
    const version = versions?.of(symbol.index);
    return {
      name: nameOf(file, symbol),
      va: addressOf(symbol),
      size: symbol.size,
      type: typeNames[symbol.type] ?? "other",
      binding: bindingNames[symbol.binding] ?? "other",
      defined: symbol.section !== specialSections.undefined,
      section: symbol.section > 0 ? file.sections[symbol.section]?.name : undefined,
      table,
      version: version?.name,
      defaultVersion: version === undefined || version.library !== undefined ? undefined : !version.hidden,
      library: version?.library,
      file: { offset: symbol.offset, size },
    };
  });
}

/** A section symbol without a name of its own goes by its section's. */
function nameOf(file: ElfFile, symbol: ElfSymbol): string {
  if (symbol.name !== "" || symbol.type !== symbolTypes.section) return symbol.name;
  return file.sections[symbol.section]?.name ?? "";
}

/**
 * The address a symbol stands for: none for undefined, absolute and common symbols, file names, and thread-local
 * symbols (their value is an offset into the TLS block). In a relocatable file it counts from the section's start.
 */
export function addressOf(symbol: ElfSymbol): Address | undefined {
  const placed = symbol.section > 0 || symbol.section === specialSections.other;
  return placed && symbol.type !== symbolTypes.tls && symbol.type !== symbolTypes.file ? address(symbol.value) : undefined;
}

const typeNames: { readonly [type: number]: ImageSymbol["type"] | undefined } = {
  [symbolTypes.none]: "none",
  [symbolTypes.object]: "object",
  [symbolTypes.common]: "object",
  [symbolTypes.function]: "function",
  [symbolTypes.section]: "section",
  [symbolTypes.file]: "file",
  [symbolTypes.tls]: "tls",
  [symbolTypes.indirect]: "indirect-function",
};

const bindingNames: { readonly [binding: number]: ImageSymbol["binding"] | undefined } = {
  [symbolBindings.local]: "local",
  [symbolBindings.global]: "global",
  [symbolBindings.unique]: "global",
  [symbolBindings.weak]: "weak",
};
