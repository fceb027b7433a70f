import { z } from "../z.js";
import { coverageSchema, pageSchema } from "../coverage.js";
import { defineOperation } from "./define.js";
import { addressValue, count, pageInput } from "./values.js";

const text = z.string();

/** Whether an item was read from the runtime metadata of the file or rests on the name of a symbol alone. */
const basis = z.enum(["metadata", "symbols"]);
const place = { address: addressValue.nullable(), file_offset: count.nullable() };
const pattern = z.string().max(256).default("").describe("Only items whose name contains this text");
const pagedInput = z.strictObject({ pattern, ...pageInput(500, 100) });

export const objcClassItem = z.strictObject({
  name: text,
  basis,
  ...place,
  superclass: text.nullable(),
  /** Null where the basis does not say. */
  swift: z.boolean().nullable(),
  imported: z.boolean(),
  instance_size: count.nullable(),
  instance_methods: count.nullable(),
  class_methods: count.nullable(),
  ivars: count.nullable(),
  properties: count.nullable(),
  protocols: z.array(text),
});

export const objcProtocolItem = z.strictObject({
  name: text,
  basis,
  ...place,
  protocols: z.array(text),
  required_methods: count.nullable(),
  optional_methods: count.nullable(),
  properties: count.nullable(),
});

export const swiftKinds = ["class", "struct", "enum", "protocol", "type", "conformance"] as const;
export const swiftTypeItem = z.strictObject({
  /** Within its module; for conformances `Type: Protocol`. */
  name: text,
  module: text.nullable(),
  basis,
  ...place,
  generic: z.boolean().nullable(),
  superclass: text.nullable(),
  conforms_to: z.array(text),
  /** At most 100; `field_count` tells how many there are. */
  fields: z.array(z.strictObject({ name: text.nullable(), type: text.nullable(), variable: z.boolean() })),
  field_count: count.nullable(),
  virtual_methods: count.nullable(),
});

export const dispatchKinds = [
  "objc_class",
  "objc_category",
  "objc_protocol",
  "objc_method",
  "objc_ivar",
  "objc_property",
  "objc_selector_reference",
  "objc_class_reference",
  "swift_type",
  "swift_protocol",
  "swift_field",
  "swift_conformance",
  "swift_virtual_method",
] as const;
export type DispatchKind = (typeof dispatchKinds)[number];

export const dispatchItem = z.strictObject({
  kind: z.enum(dispatchKinds),
  name: text,
  /** Class, category, protocol or type it belongs to. */
  owner: text.nullable(),
  /** Type encoding, attributes, field type, superclass or protocol: whatever the kind has. */
  detail: text.nullable(),
  basis,
  ...place,
  /** Code that runs; null where there is none. */
  implementation: addressValue.nullable(),
});

/** Objective-C and Swift runtime metadata (contract 04 §2). */
export const dispatchOperations = {
  get_objc_classes: defineOperation(pagedInput, pageSchema(objcClassItem)),
  get_objc_protocols: defineOperation(pagedInput, pageSchema(objcProtocolItem)),
  analyze_swift_types: defineOperation(
    z.strictObject({ pattern }),
    z.strictObject({
      categories: z.array(z.strictObject({ kind: z.enum(swiftKinds), items: z.array(swiftTypeItem) })),
      /** Items that match, shown or not. */
      total: count,
      coverage: coverageSchema,
    }),
  ),
  inspect_native_dispatch_metadata: defineOperation(pagedInput, pageSchema(dispatchItem)),
} as const;

export type ObjcClassItem = z.output<typeof objcClassItem>;
export type ObjcProtocolItem = z.output<typeof objcProtocolItem>;
export type SwiftTypeItem = z.output<typeof swiftTypeItem>;
export type SwiftKind = (typeof swiftKinds)[number];
export type DispatchItem = z.output<typeof dispatchItem>;
