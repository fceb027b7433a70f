import type { Definition } from "../../ir/expression.js";
import type { AccessPaths } from "../types/access-paths.js";
import type { Enumeration, RecordType } from "../types/value-type.js";
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
  address(value: bigint, reach?: bigint): Printed | undefined;
  /** The object at an address, where it is named and has that width. */
  object(value: bigint, bits: number): Printed | undefined;
  /** What addresses are places of, by the types of variables and objects. */
  readonly paths: AccessPaths;
  /** Notes that the layout of a record is needed, and the member by whose name it is. */
  usesRecord(record: RecordType, member?: string): void;
  /** Notes that an object is read by its type, and gives its name. */
  nameObject(name: string): string;
  /** The constant of an `enum`, where it has a name. */
  constantName(names: Enumeration, value: bigint): string | undefined;
  /** Notes that a function of the header, or of a library, is used. */
  uses(name: string): void;
}
