import type { PlistValue } from "./property-list.js";
import { xmlInteger, xmlReal } from "./xml-values.js";

/** Content of `<…>`: hexadecimal bytes, or a typed value of GNUstep; undefined when it is neither. */
export function angleValue(content: string, offset: number): PlistValue | undefined {
  if (content.startsWith("*")) return typedValue(content.slice(2), content.charAt(1), offset);
  if (content.startsWith("[") && content.endsWith("]")) return { kind: "data", offset, bytes: Buffer.from(content.slice(1, -1), "base64") };
  const digits = content.replace(/\s+/g, "");
  if (digits.length % 2 !== 0 || !/^[0-9a-fA-F]*$/.test(digits)) return undefined;
  return { kind: "data", offset, bytes: Buffer.from(digits, "hex") };
}

function typedValue(given: string, type: string, offset: number): PlistValue | undefined {
  const text = given.replace(/^"(.*)"$/s, "$1");
  switch (type) {
    case "I":
      return xmlInteger(text, offset);
    case "R":
      return xmlReal(text, offset);
    case "B":
      return text === "Y" || text === "N" ? { kind: "boolean", offset, value: text === "Y" } : undefined;
    case "D": {
      const milliseconds = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d [-+]\d{4}$/.test(text) ? Date.parse(text) : Number.NaN;
      return Number.isNaN(milliseconds) ? undefined : { kind: "date", offset, seconds: milliseconds / 1000 - 978_307_200 };
    }
    default:
      return undefined;
  }
}
