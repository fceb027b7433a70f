import { isJsonObject } from "@rea/core";

const formats: ReadonlySet<string> = new Set(["asar", "javascript", "javascript-bundle", "source-map", "directory"]);

/** Whether what `open_binary` opened is worth reading as a JavaScript application. */
export function mayBeApplication(opened: unknown): boolean {
  return isJsonObject(opened) && typeof opened["format"] === "string" && formats.has(opened["format"]);
}
