import type { Address, Omission } from "@rea/core";

import type { MetadataPlace } from "../metadata-memory.js";

/** Runtime metadata of Swift as the file stores it. Names are unescaped. */
export interface SwiftMetadata {
  /** False when the file holds none of the sections this is read from. */
  readonly present: boolean;
  readonly types: readonly SwiftType[];
  readonly protocols: readonly SwiftProtocol[];
  readonly conformances: readonly SwiftConformance[];
  readonly omissions: readonly Omission[];
}

export interface SwiftField {
  readonly name: string | undefined;
  /** Source form where the mangled form is understood, else the mangled form with `{names}`; undefined for plain cases. */
  readonly type: string | undefined;
  /** `var` rather than `let`. */
  readonly variable: boolean;
  readonly place: MetadataPlace;
}

/** An entry of a class's own part of its virtual table. */
export interface SwiftVirtualMethod {
  /** Place in the table, counted in words as the class descriptor does. */
  readonly slot: number;
  readonly kind: "method" | "init" | "getter" | "setter" | "modify" | "read" | "other";
  readonly instance: boolean;
  readonly implementation: Address | undefined;
  readonly place: MetadataPlace;
}

export interface SwiftType {
  readonly kind: "class" | "struct" | "enum";
  /** With the names of enclosing types, without the module. */
  readonly name: string;
  readonly module: string | undefined;
  readonly generic: boolean;
  readonly superclass: string | undefined;
  readonly fields: readonly SwiftField[];
  readonly virtualMethods: readonly SwiftVirtualMethod[];
  readonly place: MetadataPlace;
}

export interface SwiftProtocol {
  readonly name: string;
  readonly module: string | undefined;
  readonly requirements: number;
  readonly place: MetadataPlace;
}

export interface SwiftConformance {
  /** `Module.Type`; for Objective-C classes the class name. */
  readonly type: string | undefined;
  readonly protocol: string | undefined;
  readonly witnessTable: Address | undefined;
  readonly place: MetadataPlace;
}
