import { z } from "./z.js";

/** Any JSON value; public JSON holds safe integers only. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** Accepts any JSON value without walking it; canonicalisation walks and refuses what is not JSON. */
export const jsonValue: z.ZodType<JsonValue> = z.custom<JsonValue>((value) => isJsonLeafOrContainer(value), "expected a JSON value");
export const jsonObject: z.ZodType<JsonObject> = z.custom<JsonObject>(isJsonObject, "expected a JSON object");

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isJsonLeafOrContainer(value: unknown): boolean {
  return value === null || ["string", "number", "boolean", "object"].includes(typeof value);
}
