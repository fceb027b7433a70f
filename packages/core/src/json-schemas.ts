import { isJsonObject, type JsonObject, type JsonValue } from "./json.js";
import { z } from "./z.js";

/** Accepts any JSON value without walking it; canonicalisation walks and refuses what is not JSON. */
export const jsonValue: z.ZodType<JsonValue> = z.custom<JsonValue>((value) => isJsonLeafOrContainer(value), "expected a JSON value");
export const jsonObject: z.ZodType<JsonObject> = z.custom<JsonObject>(isJsonObject, "expected a JSON object");

function isJsonLeafOrContainer(value: unknown): boolean {
  return value === null || ["string", "number", "boolean", "object"].includes(typeof value);
}
