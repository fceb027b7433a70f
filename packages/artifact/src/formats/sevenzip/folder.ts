import { brokenData } from "../../codecs/broken-data.js";
import type { HeaderBytes } from "./header-bytes.js";

/** One step of decoding. Streams are named from the decoder's side: it reads `inputs` packed ones and gives `outputs` plain ones. */
export interface Coder {
  /** The method's identifier as hexadecimal text. */
  readonly id: string;
  readonly inputs: number;
  readonly outputs: number;
  readonly properties: Buffer;
}

/** A set of coders that decode one run of plain bytes ("folder"), which holds the contents of one or many members. */
export interface Folder {
  readonly coders: readonly Coder[];
  /** Input streams that are the output streams of other coders, by number over all coders. */
  readonly bonds: readonly { readonly input: number; readonly output: number }[];
  /** Input streams that are packed streams of the archive, in their order. */
  readonly packed: readonly number[];
}

/** What no writer goes beyond, and 7-Zip itself refuses. */
const mostCoders = 64;
const mostStreams = 64;

/** Reads the record of a folder. */
export function readFolder(header: HeaderBytes): Folder {
  const count = header.number();
  if (count === 0 || count > mostCoders) throw brokenData("A folder of the archive has no coders, or more than any writer uses.");
  const coders = Array.from({ length: count }, () => readCoder(header));
  const inputs = sum(coders, "inputs");
  const outputs = sum(coders, "outputs");
  if (inputs > mostStreams || outputs > mostStreams || outputs === 0) throw brokenData("A folder of the archive has no streams, or more than any writer uses.");
  const bonds = Array.from({ length: outputs - 1 }, () => ({ input: header.number(), output: header.number() }));
  const packed = readPacked(header, bonds, inputs);
  const all = [...bonds.map(({ input }) => input), ...packed];
  const isWhole = new Set(all).size === inputs && all.every((input) => input < inputs) && all.length === inputs;
  if (!isWhole || bonds.some(({ output }) => output >= outputs)) throw brokenData("The coders of a folder are joined in a way that leads nowhere.");
  return { coders, bonds, packed };
}

function sum(coders: readonly Coder[], of: "inputs" | "outputs"): number {
  return coders.reduce((total, coder) => total + coder[of], 0);
}

function readCoder(header: HeaderBytes): Coder {
  const flags = header.byte();
  if ((flags & 0xc0) !== 0) throw brokenData("A coder of the archive has flags that mean nothing.");
  const id = header.take(flags & 15).toString("hex");
  const isComplex = (flags & 0x10) !== 0;
  const inputs = isComplex ? header.number() : 1;
  const outputs = isComplex ? header.number() : 1;
  const properties = (flags & 0x20) === 0 ? Buffer.alloc(0) : header.take(header.number());
  return { id, inputs, outputs, properties };
}

function readPacked(header: HeaderBytes, bonds: Folder["bonds"], inputs: number): readonly number[] {
  const count = inputs - bonds.length;
  if (count < 1) throw brokenData("A folder of the archive has no packed stream.");
  if (count > 1) return Array.from({ length: count }, () => header.number());
  const free = Array.from({ length: inputs }, (_, input) => input).find((input) => bonds.every((bond) => bond.input !== input));
  if (free === undefined) throw brokenData("A folder of the archive has no packed stream.");
  return [free];
}

/** The output stream that no coder takes: the folder's plain bytes. */
export function mainOutput({ coders, bonds }: Folder): number {
  const outputs = sum(coders, "outputs");
  const taken = new Set(bonds.map(({ output }) => output));
  for (let output = 0; output < outputs; output += 1) if (!taken.has(output)) return output;
  throw brokenData("The coders of a folder are joined in a circle.");
}

/** The coder that gives an output stream, and the number of its first input stream. */
export function coderOf({ coders }: Folder, output: number): { readonly coder: Coder; readonly firstInput: number } {
  let outputs = 0;
  let firstInput = 0;
  for (const coder of coders) {
    outputs += coder.outputs;
    if (output < outputs) return { coder, firstInput };
    firstInput += coder.inputs;
  }
  throw brokenData("The coders of a folder are joined in a way that leads nowhere.");
}
