import type { Definition } from "../../ir/expression.js";
import type { CType } from "./c-type.js";
import type { Printed } from "./printed.js";

/** What expressions of a function refer to. */
export interface Surroundings {
  /** Whether `char` has a sign where the program runs. */
  readonly plainCharIsSigned: boolean;
  /** The variable a value stands in. */
  variable(def: Definition): { readonly name: string; readonly type: CType };
  /** The stack pointer at the entry, as an address inside the frame. */
  frame(def: Definition): { readonly name: string; readonly offset: number } | undefined;
  /** An address of the image: a string, an object, a function. */
  address(value: bigint): Printed | undefined;
  /** The object at an address, where it is named and has that width. */
  object(value: bigint, bits: number): Printed | undefined;
  /** Notes that a function of the header, or of a library, is used. */
  uses(name: string): void;
}
