import type { ByteSource } from "@rea/core";
import type { Steps } from "./steps.js";

/** Build-time switches of Electron, read from the wire behind their marker in the program. */
export interface ElectronFuses {
  readonly file_offset: number;
  readonly version: number;
  readonly fuses: { readonly name: string; readonly state: "enabled" | "disabled" | "removed" | "inherited" | "unknown" }[];
}

const marker = Buffer.from("dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX", "latin1");
const pieceBytes = 1 << 20;
const mostWires = 8;

/** Names of the fuses of wire version 1, in their order. */
const names = [
  "RunAsNode",
  "EnableCookieEncryption",
  "EnableNodeOptionsEnvironmentVariable",
  "EnableNodeCliInspectArguments",
  "EnableEmbeddedAsarIntegrityValidation",
  "OnlyLoadAppFromAsar",
  "LoadBrowserProcessSpecificV8Snapshot",
  "GrantFileProtocolExtraPrivileges",
  "WasmTrapHandlers",
] as const;

const states: { readonly [byte: number]: ElectronFuses["fuses"][number]["state"] | undefined } = {
  0x30: "disabled",
  0x31: "enabled",
  0x72: "removed",
  0x90: "inherited",
};

/** Every fuse wire of a program, in file order: one, or one for each slice of a universal file. */
export function* electronFuses(source: ByteSource): Steps<ElectronFuses[]> {
  const found: ElectronFuses[] = [];
  for (let at = 0; at < source.size && found.length < mostWires; at += pieceBytes) {
    const length = Math.min(pieceBytes + marker.byteLength - 1, source.size - at);
    const piece = Buffer.from(source.read(at, length));
    for (let hit = piece.indexOf(marker); hit >= 0 && found.length < mostWires; hit = piece.indexOf(marker, hit + 1)) {
      const wire = wireAt(source, at + hit + marker.byteLength);
      if (wire !== undefined) found.push(wire);
    }
    yield undefined;
  }
  return found;
}

/** Version and length in a byte each, then one state a byte; undefined where no wire can stand. */
function wireAt(source: ByteSource, at: number): ElectronFuses | undefined {
  if (at + 2 > source.size) return undefined;
  const [version = 0, length = 0] = source.read(at, 2);
  if (version === 0 || length === 0 || at + 2 + length > source.size) return undefined;
  const fuses = [...source.read(at + 2, length)].map((byte, index) => ({
    name: (version === 1 ? names[index] : undefined) ?? `fuse ${String(index)}`,
    state: states[byte] ?? ("unknown" as const),
  }));
  return { file_offset: at - marker.byteLength, version, fuses };
}
