import type { SyntaxNode } from "../syntax/node.js";
import type { Scope } from "../syntax/scope.js";
import { span, type Span } from "./fact.js";
import type { Origins } from "./origin.js";

/** What detectors are given with each node. */
export interface Sight {
  readonly scope: Scope;
  /** From the program down to the node's parent. */
  readonly ancestors: readonly SyntaxNode[];
}

/** What detectors of one file share. */
export interface FileView {
  readonly source: string;
  readonly origins: Origins;
  /** Takes a place for one more finding; false when there are as many as allowed. */
  admit(): boolean;
}

/** Looks at nodes of some types. */
export interface Detector {
  readonly types: readonly string[];
  see(node: SyntaxNode, sight: Sight): void;
}

export function spanOf({ start, end }: SyntaxNode): Span {
  return span(start, end);
}
