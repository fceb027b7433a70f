import type { Address, Omission } from "@rea/core";

import type { MetadataPlace } from "../metadata-memory.js";

/** Runtime metadata of Objective-C as the file stores it. Names and encodings are unescaped. */
export interface ObjcMetadata {
  /** False when the file holds none of the sections this is read from. */
  readonly present: boolean;
  readonly classes: readonly ObjcClass[];
  readonly protocols: readonly ObjcProtocol[];
  readonly categories: readonly ObjcCategory[];
  /** Cells that code loads selectors and classes from. */
  readonly selectorReferences: readonly ObjcReference[];
  readonly classReferences: readonly ObjcReference[];
  readonly omissions: readonly Omission[];
}

export interface ObjcMethod {
  readonly selector: string;
  readonly scope: "instance" | "class";
  /** Only in protocols: false for `@required` ones too. */
  readonly optional: boolean;
  /** Type encoding. */
  readonly types: string | undefined;
  /** Undefined in protocols. */
  readonly implementation: Address | undefined;
  readonly place: MetadataPlace;
}

export interface ObjcIvar {
  readonly name: string | undefined;
  readonly type: string | undefined;
  /** Distance from the start of the object in bytes, as laid out at link time. */
  readonly offset: number | undefined;
  readonly size: number;
  readonly place: MetadataPlace;
}

export interface ObjcProperty {
  readonly name: string | undefined;
  readonly scope: "instance" | "class";
  readonly attributes: string | undefined;
  readonly place: MetadataPlace;
}

export interface ObjcClass {
  readonly name: string;
  /** Undefined for roots and where it cannot be read. */
  readonly superclass: string | undefined;
  readonly root: boolean;
  /** Compiled from Swift. */
  readonly swift: boolean;
  readonly instanceSize: number;
  readonly methods: readonly ObjcMethod[];
  readonly ivars: readonly ObjcIvar[];
  readonly properties: readonly ObjcProperty[];
  readonly protocols: readonly string[];
  readonly place: MetadataPlace;
}

export interface ObjcProtocol {
  readonly name: string;
  readonly protocols: readonly string[];
  readonly methods: readonly ObjcMethod[];
  readonly properties: readonly ObjcProperty[];
  readonly place: MetadataPlace;
}

export interface ObjcCategory {
  readonly name: string;
  readonly className: string | undefined;
  readonly methods: readonly ObjcMethod[];
  readonly properties: readonly ObjcProperty[];
  readonly protocols: readonly string[];
  readonly place: MetadataPlace;
}

export interface ObjcReference {
  readonly name: string;
  readonly place: MetadataPlace;
}
