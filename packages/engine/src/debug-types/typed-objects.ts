import type { StoredType } from "../decompile/types/value-type.js";
import { storedSize } from "../decompile/types/value-type.js";
import type { Program } from "../program.js";
import { debugOfImage } from "./debug-of-image.js";
import { recordTypes } from "./value-type.js";

interface TypedVariable {
  readonly name: string | undefined;
  readonly va: bigint;
  readonly sizeBytes: number;
  readonly type: StoredType;
}

/** The variable of the program that covers an address, where debug information has its whole type. */
export function typedVariableAt(program: Program, va: bigint): TypedVariable | undefined {
  const debug = debugOfImage(program.image);
  const found = debug?.variableAt(va);
  if (debug === undefined || found?.type === undefined) return undefined;
  const type = recordTypes(debug).stored(found.type);
  const sizeBytes = type === undefined ? 0 : storedSize(type);
  return type === undefined || sizeBytes === 0 ? undefined : { name: found.name, va: found.va, sizeBytes, type };
}
