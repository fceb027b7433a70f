import { isJsonObject, type JsonObject } from "@rea/core";

/** Reads the array for `tools/list` that the build wrote; a plain Error when it is not one, so that a broken build is noticed. */
export function parseCatalogue(text: string): readonly JsonObject[] {
  const parsed: unknown = JSON.parse(text);
  if (Array.isArray(parsed) && parsed.every(isJsonObject)) return parsed;
  throw new Error("the tool catalogue beside the server is not a list of tools; build again");
}
