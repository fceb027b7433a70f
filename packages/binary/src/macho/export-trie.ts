import { checkRange } from "@rea/core";

import type { Findings } from "../findings.js";
import type { ExportedSymbol } from "../image.js";
import { decodeName } from "../name-text.js";
import { command } from "./command-names.js";
import { libraryOf, type Dylib } from "./dylibs.js";
import { LebCursor } from "./leb128.js";
import { holdsCode, type DataRange, type MachOFile } from "./macho-file.js";

const longestName = 65_536;
const flag = { kindMask: 0x3, threadLocal: 0x1, absolute: 0x2, weak: 0x4, reexport: 0x8, stubAndResolver: 0x10 } as const;

interface TrieNode {
  readonly offset: number;
  readonly prefix: string;
}

/** Where the export trie is; undefined when the image has none. */
export function exportTrieRange(file: MachOFile, findings: Findings): DataRange | undefined {
  const separate = file.linkedit(command.dyldExportsTrie);
  if (separate !== undefined) return separate;
  const info = file.command(command.dyldInfoOnly, command.dyldInfo);
  return info === undefined ? undefined : findings.attempt("exports", info.offset, () => file.dataRange(info, 40));
}

/**
 * Walks the trie (`mach-o/loader.h`, "The symbols exported by a dylib are encoded in a trie"). Every node is read once:
 * a node reached again is damage, so cycles end. Order is the trie's.
 */
export function readExportTrie(file: MachOFile, range: DataRange, loaded: readonly Dylib[], findings: Findings): readonly ExportedSymbol[] {
  const items: ExportedSymbol[] = [];
  const seen = new Set<number>([0]);
  const pending: TrieNode[] = [{ offset: 0, prefix: "" }];
  const nameLimit = file.reader.size * 4 + (1 << 20);
  let nameBytes = 0;
  // Every edge has at least two bytes of its own in a sound trie.
  let edges = Math.floor(range.size / 2);
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    const { offset, prefix } = node;
    findings.attempt("exports", range.offset + offset, () => {
      const read = readNode(file, range, node);
      edges -= read.children.length;
      if (read.symbol !== undefined) items.push(exportOf(file, prefix, read.symbol, loaded));
      for (const child of read.children.reverse()) {
        if (seen.has(child.offset)) findings.malformed("exports", range.offset + offset, "a trie node is reached twice");
        else if (child.prefix.length <= longestName) pending.push(child);
        seen.add(child.offset);
      }
    });
    nameBytes += prefix.length;
    if (nameBytes <= nameLimit && edges >= 0) continue;
    findings.limited("exports", "limit_total_bytes", pending.length, nameLimit);
    break;
  }
  return items;
}

interface TrieSymbol {
  readonly flags: number;
  readonly fileOffset: number;
  readonly size: number;
  /** Offset from the image base, or the value of an absolute symbol. */
  readonly address: bigint;
  readonly ordinal: number;
  readonly importedName: string;
}

function readNode(file: MachOFile, range: DataRange, node: TrieNode): { readonly symbol: TrieSymbol | undefined; readonly children: TrieNode[] } {
  const end = range.offset + range.size;
  checkRange(node.offset, 1, range.size);
  const cursor = new LebCursor(file.reader, range.offset + node.offset, end);
  const terminalSize = cursor.count();
  const terminalEnd = cursor.offset + terminalSize;
  const symbol = terminalSize === 0 ? undefined : readTerminal(cursor, terminalEnd);
  cursor.offset = terminalEnd;
  const children: TrieNode[] = [];
  const count = cursor.u8();
  for (let index = 0; index < count; index += 1) {
    const edge = decodeName(cursor.cstring());
    children.push({ offset: cursor.count(), prefix: node.prefix + edge });
  }
  return { symbol, children };
}

function readTerminal(cursor: LebCursor, end: number): TrieSymbol {
  const fileOffset = cursor.offset;
  const flags = cursor.count();
  const reexport = (flags & flag.reexport) !== 0;
  const ordinal = reexport ? cursor.count() : 0;
  const importedName = reexport ? decodeName(cursor.cstring()) : "";
  // A resolver's address follows that of its stub; callers reach the stub.
  const address = reexport ? 0n : cursor.uleb();
  return { flags, fileOffset, size: end - fileOffset, address, ordinal, importedName };
}

function exportOf(file: MachOFile, name: string, symbol: TrieSymbol, loaded: readonly Dylib[]): ExportedSymbol {
  const reexport = (symbol.flags & flag.reexport) !== 0;
  const absolute = (symbol.flags & flag.kindMask) === flag.absolute;
  const value = BigInt.asUintN(64, absolute ? symbol.address : file.base + symbol.address);
  return {
    name,
    va: reexport ? undefined : file.va(value),
    ordinal: undefined,
    version: undefined,
    forwarder: reexport ? `${libraryOf(loaded, symbol.ordinal) ?? ""}:${symbol.importedName === "" ? name : symbol.importedName}` : undefined,
    binding: (symbol.flags & flag.weak) !== 0 ? "weak" : "global",
    type: reexport ? "other" : !absolute && holdsCode(file.sectionAt(value)) ? "function" : "object",
    file: { offset: symbol.fileOffset, size: symbol.size },
  };
}
