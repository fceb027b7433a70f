/** Qualifiers of a type as bits. `ptr64` is read and not shown. */
export const qualifier = { none: 0, const: 1, volatile: 2, restrict: 4, unaligned: 8, ptr64: 16 } as const;

/** A type that a mangled name spells; see `print.ts` for how it reads. */
export type TypeNode =
  /** A built-in type, or a class with the word in front of it. */
  | { readonly kind: "named"; readonly text: string; readonly qualifiers: number }
  | {
      readonly kind: "pointer";
      readonly sign: "*" | "&" | "&&";
      readonly of: TypeNode;
      /** Class of a pointer to member. */
      readonly owner: string | undefined;
      readonly qualifiers: number;
    }
  | { readonly kind: "array"; readonly sizes: readonly bigint[]; readonly of: TypeNode; readonly qualifiers: number }
  | FunctionNode;

export interface FunctionNode {
  readonly kind: "function";
  readonly convention: string;
  /** Undefined for constructors, destructors and conversions, whose name says it. */
  readonly returns: TypeNode | undefined;
  /** Undefined where the name says `void`. */
  readonly params: readonly TypeNode[] | undefined;
  readonly variadic: boolean;
  readonly noexcept: boolean;
  readonly reference: "" | " &" | " &&";
  readonly qualifiers: number;
  /** Access, `static`, `virtual`, … with a blank behind; and what stands between the name and the parameters. */
  readonly prefix: string;
  readonly adjustment: string;
  /** A name without types: an `extern "C"` function as the scope of something local. */
  readonly bare: boolean;
}

/** The last part of a name; a conversion operator is told its type by the function's return type. */
export type Identifier =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "conversion"; readonly args: string }
  | { readonly kind: "structor"; readonly destroys: boolean; readonly args: string };

/** `scope` is empty or ends in `::`. */
export interface QualifiedName {
  readonly scope: string;
  readonly last: Identifier;
}

/** A whole symbol. */
export type SymbolNode =
  | { readonly kind: "function"; readonly name: string; readonly last: string; readonly type: FunctionNode }
  | { readonly kind: "variable"; readonly text: string; readonly last: string }
  | { readonly kind: "special"; readonly text: string; readonly last: string };

export function withQualifiers(type: TypeNode, qualifiers: number): TypeNode {
  return { ...type, qualifiers: type.qualifiers | qualifiers };
}
