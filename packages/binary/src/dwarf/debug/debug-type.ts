/** Kinds of types as they are shown. */
export type DebugTypeKind =
  | "base" | "struct" | "class" | "union" | "interface" | "enum" | "typedef" | "pointer" | "reference" | "rvalue_reference" | "member_pointer"
  | "array" | "function" | "const" | "volatile" | "restrict" | "atomic" | "subrange" | "set" | "string" | "unspecified";

/** A type by its entry; 0 is never an entry. `void` is the absence of a type. */
export type TypeId = number;

/** What one type's own entry says. Sizes in bytes; undefined where the file does not say. */
export interface DebugType {
  readonly id: TypeId;
  readonly kind: DebugTypeKind;
  readonly name: string | undefined;
  readonly size: number | undefined;
  /** As declared; natural alignment is computed from the parts. */
  readonly alignment: number | undefined;
  /** Of base types: `signed`, `unsigned`, `boolean`, `float`, `character`, `address`, … */
  readonly encoding: "signed" | "unsigned" | "boolean" | "float" | "complex" | "signed_char" | "unsigned_char" | "character" | "address" | "decimal" | "other" | undefined;
  /** What it points to, is made of, renames, or returns; undefined for none or `void`. */
  readonly to: TypeId | undefined;
  readonly isDeclaration: boolean;
}

export interface DebugField {
  /** Undefined for anonymous members and base classes. */
  readonly name: string | undefined;
  readonly type: TypeId | undefined;
  /** Byte of its first bit; undefined where it depends on the object. */
  readonly offset: number | undefined;
  /** Of a bit field: its first bit counted from the lowest (or, in big-endian programs, highest) of that byte, and how many. */
  readonly bits: { readonly from: number; readonly count: number } | undefined;
  /** `base` for what is inherited, `variant` and `discriminant` for enums with data. */
  readonly role: "member" | "base" | "variant" | "discriminant";
}

export interface DebugEnumerator {
  readonly name: string;
  readonly value: bigint;
}

/** A parameter or variable of a function. */
export interface DebugVariable {
  readonly name: string | undefined;
  readonly type: TypeId | undefined;
  readonly isArtificial: boolean;
  readonly places: readonly DebugPlace[];
}

/** Where a variable is: for the whole function, or from and up to addresses. */
export interface DebugPlace {
  readonly start: bigint | undefined;
  /** Exclusive. */
  readonly end: bigint | undefined;
  readonly place: { readonly kind: "register"; readonly register: number } | { readonly kind: "frame"; readonly offset: number } | { readonly kind: "other" };
}

/** A function with code. */
export interface DebugFunction {
  readonly name: string | undefined;
  readonly linkageName: string | undefined;
  readonly start: bigint;
  readonly language: number;
  readonly isExternal: boolean;
  readonly isPrototyped: boolean;
  readonly isVariadic: boolean;
  readonly result: TypeId | undefined;
  readonly parameters: readonly DebugVariable[];
  readonly locals: readonly DebugVariable[];
  /** What frame offsets count from: the stack pointer before the call, or a register. */
  readonly frameBase: { readonly kind: "call_frame" } | { readonly kind: "register"; readonly register: number; readonly offset: number } | { readonly kind: "other" };
  readonly declared: { readonly file: string | undefined; readonly line: number } | undefined;
}
