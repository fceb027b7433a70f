import { brokenData } from "../../codecs/broken-data.js";
import { inflateBlock } from "../../codecs/deflate.js";
import { greatestLzxWindow, leastLzxWindow, LzxDecoder } from "../../codecs/lzx/lzx-decoder.js";
import { greatestQuantumWindow, leastQuantumWindow, QuantumDecoder } from "../../codecs/quantum/quantum-decoder.js";
import type { Unavailable } from "../../format.js";

/** Decodes the blocks of one folder, one after another. Throws `artifact_operation_failed` (reason `format`) for damage. */
export interface BlockDecoder {
  decode(packed: Uint8Array, plainBytes: number): Uint8Array;
}

const methodNames: { readonly [method: number]: string | undefined } = { 0: "stored", 1: "MSZIP", 2: "Quantum", 3: "LZX" };
const historyBytes = 32_768;

const stored: BlockDecoder = { decode: (packed) => packed };

/** Blocks of deflated data behind two letters, each going on from the 32 KiB before it ([MS-MCI]). */
class MszipDecoder implements BlockDecoder {
  #history: Uint8Array = new Uint8Array(0);

  decode(packed: Uint8Array, plainBytes: number): Uint8Array {
    if (packed[0] !== 0x43 || packed[1] !== 0x4b) throw brokenData("An MSZIP block does not start with its mark.");
    const inflated = inflateBlock(packed.subarray(2), this.#history, plainBytes + 1);
    if (inflated === undefined) throw brokenData("The deflated data of an MSZIP block is damaged or cut short.");
    const before = this.#history;
    this.#history = inflated.bytes.byteLength >= historyBytes ? inflated.bytes : Buffer.concat([before, inflated.bytes]).subarray(-historyBytes);
    return inflated.bytes;
  }
}

/** What decodes a folder's blocks, or why nothing does. */
export function folderDecoder(method: number): (() => BlockDecoder) | Unavailable {
  const bits = (method >> 8) & 0x1f;
  switch (method & 0x0f) {
    case 0:
      return () => stored;
    case 1:
      return () => new MszipDecoder();
    case 2:
      return inRange(bits, leastQuantumWindow, greatestQuantumWindow) ? () => new QuantumDecoder(bits) : wrongWindow("Quantum", bits);
    case 3:
      return inRange(bits, leastLzxWindow, greatestLzxWindow) ? () => new LzxDecoder(bits) : wrongWindow("LZX", bits);
    default:
      return { reason: "unsupported_method", why: `Compression method ${String(method & 0x0f)} means nothing.` };
  }
}

export function isKnownMethod(method: number): boolean {
  return methodNames[method & 0x0f] !== undefined;
}

function inRange(value: number, least: number, greatest: number): boolean {
  return value >= least && value <= greatest;
}

function wrongWindow(name: string, bits: number): Unavailable {
  return { reason: "malformed", why: `${name} has no window of 2^${String(bits)} bytes in cabinets.` };
}
