import { Findings } from "../findings.js";
import type { EntryPoint, Table } from "../image.js";
import type { PeFile } from "./pe-file.js";

const mostCallbacks = 4096;

/** The entry point and the TLS callbacks that run before it (PE Format § "The .tls Section"). */
export function readEntryPoints(file: PeFile): Table<EntryPoint> {
  const findings = new Findings();
  const items: EntryPoint[] = [];
  if (file.headers.entryRva !== 0) items.push({ va: file.va(file.headers.entryRva), kind: "entry" });
  const directory = file.directory("tls");
  if (directory !== undefined) {
    findings.attempt("tls callbacks", file.fileOffset(directory.rva), () => {
      readCallbacks(file, directory.rva, items, findings);
    });
  }
  return { items, omissions: findings.list() };
}

function readCallbacks(file: PeFile, tlsRva: number, items: EntryPoint[], findings: Findings): void {
  const listVa = file.pointer(tlsRva + file.pointerSize * 3);
  if (listVa === 0n) return;
  const listRva = file.rvaOf(listVa);
  if (listRva === undefined) {
    findings.malformed("tls callbacks", file.fileOffset(tlsRva), "the callback list lies outside the image");
    return;
  }
  for (let index = 0; index < mostCallbacks; index += 1) {
    const va = file.pointer(listRva + index * file.pointerSize);
    if (va === 0n) return;
    const rva = file.rvaOf(va);
    if (rva === undefined) findings.malformed("tls callbacks", file.fileOffset(listRva), "a callback lies outside the image");
    else items.push({ va: file.va(rva), kind: "tls-callback" });
  }
  findings.limited("tls callbacks", "limit_items", 1, mostCallbacks);
}
