/** Types as far as they matter to code: width, sign, float, what is pointed to. */
export type ValueType =
  | { readonly kind: "void" }
  | { readonly kind: "int"; readonly bits: number; readonly signed: boolean | undefined; readonly names?: Enumeration }
  | { readonly kind: "float"; readonly bits: number }
  | { readonly kind: "pointer"; readonly to: ValueType | RecordType | undefined };

/** Types of printed expressions. */
export type CType =
  | { readonly kind: "int"; readonly bits: number; readonly signed: boolean; readonly names?: Enumeration }
  | { readonly kind: "float"; readonly bits: number }
  | { readonly kind: "pointer"; readonly to: CType | RecordType | undefined };

/** What stands in memory: one value, or several in a known order. */
export type StoredType = CType | RecordType | ArrayType;

export interface ArrayType {
  readonly kind: "array";
  readonly of: StoredType;
  /** Undefined for an array without an end of its own, the last of its structure. */
  readonly count: number | undefined;
}

/** A structure or union. Two records with the same tag are the same object. */
export interface RecordType {
  readonly kind: "record";
  readonly keyword: "struct" | "union";
  readonly tag: string;
  readonly sizeBytes: number;
  /** True where a header of the C library that the text includes defines it. */
  readonly isOfHeader: boolean;
  /** True where nothing but the code's own accesses tells of it. */
  readonly isInferred?: boolean;
  /** By offset, none over another except in a union; what has no plain place, as bit fields have none, is left out. */
  fields(): readonly RecordField[];
}

export interface RecordField {
  readonly name: string;
  readonly offset: number;
  readonly sizeBytes: number;
  readonly type: StoredType;
}

/** Names of the values of an `enum`. */
export interface Enumeration {
  readonly tag: string;
  /** True where C gives the `enum` the type that values of it have in memory. */
  readonly isWhole: boolean;
  readonly names: ReadonlyMap<bigint, string>;
}

/** Bytes that a value of the type takes in memory; 0 for an array without end. */
export function storedSize(type: StoredType): number {
  if (type.kind === "record") return type.sizeBytes;
  if (type.kind === "array") return (type.count ?? 0) * storedSize(type.of);
  return type.kind === "pointer" ? 8 : type.bits / 8;
}
