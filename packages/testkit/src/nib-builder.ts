/** A value of a NIBArchive: numbers by width, `ref` to an object. */
export type NibValue =
  | { readonly ref: number }
  | { readonly int: number; readonly width?: 1 | 2 | 4 | 8 }
  | { readonly double: number }
  | { readonly flag: boolean }
  | { readonly data: string }
  | { readonly nil: true };

export interface NibObject {
  readonly class: string;
  readonly values: readonly (readonly [key: string, value: NibValue])[];
}

/** The bytes of a NIBArchive of these objects, the first one the root. */
export function nibArchive(objects: readonly NibObject[]): Buffer {
  const keys = [...new Set(objects.flatMap(({ values }) => values.map(([key]) => key)))];
  const classes = [...new Set(objects.map((object) => object.class))];
  const objectBytes: number[] = [];
  const valueBytes: number[] = [];
  let values = 0;
  for (const object of objects) {
    objectBytes.push(...integer(classes.indexOf(object.class)), ...integer(values), ...integer(object.values.length));
    values += object.values.length;
    for (const [key, value] of object.values) valueBytes.push(...integer(keys.indexOf(key)), ...encoded(value));
  }
  const keyBytes = keys.flatMap((key) => [...integer(Buffer.byteLength(key)), ...Buffer.from(key)]);
  const classBytes = classes.flatMap((name) => [...integer(name.length + 1), ...integer(0), ...Buffer.from(name), 0]);
  const header = Buffer.alloc(50);
  header.write("NIBArchive", 0, "latin1");
  header.writeUInt32LE(1, 10);
  header.writeUInt32LE(9, 14);
  let at = 50;
  [[objects.length, objectBytes], [keys.length, keyBytes], [values, valueBytes], [classes.length, classBytes]].forEach(([count, bytes], index) => {
    header.writeUInt32LE(Number(count), 18 + index * 8);
    header.writeUInt32LE(at, 22 + index * 8);
    at += Array.isArray(bytes) ? bytes.length : 0;
  });
  return Buffer.concat([header, Buffer.from(objectBytes), Buffer.from(keyBytes), Buffer.from(valueBytes), Buffer.from(classBytes)]);
}

/** Seven bits a byte, the lowest first; the last byte has its high bit set. */
function integer(value: number): number[] {
  const bytes = [];
  for (let left = value; ; left = Math.floor(left / 128)) {
    if (left < 128) return [...bytes, left | 0x80];
    bytes.push(left % 128);
  }
}

function encoded(value: NibValue): number[] {
  if ("ref" in value) return [10, ...little(value.ref, 4)];
  if ("int" in value) {
    const width = value.width ?? 4;
    return [{ 1: 0, 2: 1, 4: 2, 8: 3 }[width], ...little(value.int, width)];
  }
  if ("double" in value) {
    const bytes = Buffer.alloc(8);
    bytes.writeDoubleLE(value.double);
    return [7, ...bytes];
  }
  if ("flag" in value) return [value.flag ? 5 : 4];
  if ("data" in value) return [8, ...integer(Buffer.byteLength(value.data)), ...Buffer.from(value.data)];
  return [9];
}

function little(value: number, width: number): number[] {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64LE(BigInt(value));
  return [...bytes.subarray(0, width)];
}

const text = (data: string): NibObject => ({ class: "NSString", values: [["NS.bytes", { data }]] });
const list = (...refs: readonly number[]): NibObject => ({
  class: "NSArray",
  values: [["NSInlinedValue", { flag: true }], ...refs.map((ref) => ["UINibEncoderEmptyKey", { ref }] as const)],
});

/** A view of UIKit: a button that sends `pay:` to the file's owner, which has it as an outlet, and a segue. */
export function payScene(): Buffer {
  return nibArchive([
    { class: "NSObject", values: [["UINibTopLevelObjectsKey", { ref: 1 }], ["UINibObjectsKey", { ref: 2 }], ["UINibConnectionsKey", { ref: 3 }]] },
    list(4, 6),
    list(4, 6, 8, 15),
    list(11, 12),
    { class: "UIProxyObject", values: [["UIProxiedObjectIdentifier", { ref: 5 }]] },
    text("IBFilesOwner"),
    { class: "UIClassSwapper", values: [["UIClassName", { ref: 7 }], ["UIOriginalClassName", { ref: 10 }], ["UISubviews", { ref: 14 }]] },
    text("PayView"),
    { class: "UIButton", values: [["UIButtonTitle", { ref: 9 }], ["UIAlpha", { double: 0.5 }], ["UITag", { int: -3, width: 1 }], ["UIHidden", { nil: true }]] },
    text("Pay now"),
    text("UIView"),
    { class: "UIRuntimeOutletConnection", values: [["UISource", { ref: 4 }], ["UIDestination", { ref: 8 }], ["UILabel", { ref: 16 }]] },
    { class: "UIRuntimeEventConnection", values: [["UISource", { ref: 8 }], ["UIDestination", { ref: 4 }], ["UILabel", { ref: 13 }], ["UIEventMask", { int: 64 }]] },
    text("pay:"),
    list(8),
    { class: "UIStoryboardShowSegueTemplate", values: [["UIIdentifier", { ref: 17 }], ["UIDestinationViewControllerIdentifier", { ref: 18 }]] },
    text("payButton"),
    text("toReceipt"),
    text("Receipt"),
  ]);
}
