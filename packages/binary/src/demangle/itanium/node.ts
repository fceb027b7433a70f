/** What a mangled C++ name says, as a tree; see `print.ts` for how it reads. */
export type Node =
  | { readonly kind: "name"; readonly text: string }
  /** A standard abbreviation such as `std::string`; constructors go by the class's own long name. */
  | { readonly kind: "abbreviation"; readonly text: string; readonly long: string; readonly base: string }
  | { readonly kind: "nested"; readonly scope: Node; readonly name: Node }
  | { readonly kind: "local"; readonly scope: Node; readonly name: Node }
  | { readonly kind: "template"; readonly name: Node; readonly args: readonly Node[] }
  /** `J…E` among template arguments: as many arguments as it has items. */
  | { readonly kind: "arguments"; readonly items: readonly Node[] }
  /** The same behind a template parameter: an expansion shows it item by item. */
  | { readonly kind: "pack"; readonly items: readonly Node[] }
  | { readonly kind: "expansion"; readonly of: Node }
  /** A template parameter that stands before its arguments; filled in when they are known. */
  | { readonly kind: "forward"; target: Node | undefined; readonly index: number }
  | { readonly kind: "qualified"; readonly of: Node; readonly qualifiers: string }
  | { readonly kind: "pointer"; readonly of: Node }
  | { readonly kind: "reference"; readonly of: Node; readonly right: boolean }
  | { readonly kind: "suffixed"; readonly of: Node; readonly suffix: string }
  | { readonly kind: "prefixed"; readonly prefix: string; readonly of: Node }
  | { readonly kind: "array"; readonly of: Node; readonly size: Node | undefined }
  | FunctionNode
  | { readonly kind: "member-pointer"; readonly of: Node; readonly owner: Node }
  | { readonly kind: "structor"; readonly of: Node; readonly destroys: boolean }
  | { readonly kind: "conversion"; readonly to: Node }
  | { readonly kind: "lambda"; readonly params: readonly Node[]; readonly number: string }
  /** Texts and nodes one after the other; an array is a list with commas. */
  | { readonly kind: "sequence"; readonly parts: readonly (string | Node | readonly Node[])[] };

/** A function type, or with `name` a whole function. */
export interface FunctionNode {
  readonly kind: "function";
  readonly name: Node | undefined;
  readonly returns: Node | undefined;
  readonly params: readonly Node[];
  /** ` const`, ` &`, ` noexcept`, … in the order they are shown. */
  readonly suffix: string;
}

export function nameNode(text: string): Node {
  return { kind: "name", text };
}
