import type { ImportedSymbol } from "../image.js";
import type { PeFile } from "./pe-file.js";

const longestStub = 12;

/**
 * RVA of the code that loads a delayed import on its first call. Until then the import's slot holds the address of that
 * code, which hands the address of the slot to the helper common to all imports of the library
 * (PE Format § "Delay-Load Import Tables"); undefined unless the code there does so for exactly this slot.
 */
export function loadStubOf(file: PeFile, symbol: ImportedSymbol): number | undefined {
  const slot = symbol.slots[0];
  const slotRva = slot === undefined ? undefined : file.rvaOf(slot);
  if (!symbol.delayed || slotRva === undefined) return undefined;
  const held = file.place(slotRva)?.available ?? 0;
  const stub = held < file.pointerSize ? undefined : file.rvaOf(file.pointer(slotRva));
  const place = stub === undefined ? undefined : file.place(stub);
  if (stub === undefined || place === undefined || place.available < longestStub) return undefined;
  const bytes = file.reader.bytes(place.offset, longestStub);
  return slotHandedOn(file, stub, new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)) === slotRva ? stub : undefined;
}

function slotHandedOn(file: PeFile, stub: number, code: DataView): number | undefined {
  switch (file.architecture) {
    case "x86_64":
      return leaThenJump(stub, code);
    case "x86":
      return moveThenJump(file, code);
    case "arm64":
      return pageThenBranch(stub, code);
    default:
      return undefined;
  }
}

/** `lea rax, [rip + slot]; jmp helper`. */
function leaThenJump(stub: number, code: DataView): number | undefined {
  const leads = code.getUint16(0) === 0x488d && code.getUint8(2) === 0x05 && isNearJump(code.getUint8(7));
  return leads ? stub + 7 + code.getInt32(3, true) : undefined;
}

/** `mov eax, slot; jmp helper`. */
function moveThenJump(file: PeFile, code: DataView): number | undefined {
  if (code.getUint8(0) !== 0xb8 || !isNearJump(code.getUint8(5))) return undefined;
  return file.rvaOf(BigInt(code.getUint32(1, true)));
}

function isNearJump(opcode: number): boolean {
  return opcode === 0xe9 || opcode === 0xeb;
}

/** `adrp x17, page; add x17, x17, #offset; b helper`. */
function pageThenBranch(stub: number, code: DataView): number | undefined {
  const [page, sum, branch] = [code.getUint32(0, true), code.getUint32(4, true), code.getUint32(8, true)];
  if ((page & 0x9f00001f) >>> 0 !== 0x90000011 || (sum & 0xffc003ff) >>> 0 !== 0x91000231 || branch >>> 26 !== 5) return undefined;
  const pages = ((((page >>> 5) & 0x7ffff) << 2) | ((page >>> 29) & 3)) << 11 >> 11;
  return stub - (stub % 0x1000) + pages * 0x1000 + ((sum >>> 10) & 0xfff);
}
