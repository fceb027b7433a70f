import { readFileSync, statSync } from "node:fs";
import { escapeUntrusted, jsonObject, type JsonObject } from "@rea/core";
import { localPath } from "./local-path.js";
import { UsageError } from "./usage-error.js";

const maximumBytes = 256 * 1024 * 1024;

/** The object in a file of JSON that a command is given by its path. Throws `UsageError` for anything else. */
export function jsonFile(shown: string, path: string): JsonObject {
  const value = parsed(shown, textOf(shown, path));
  if (value !== undefined) return value;
  throw new UsageError(`${shown} does not hold a JSON object`);
}

function textOf(shown: string, path: string): string {
  try {
    const absolute = localPath(path);
    if (statSync(absolute).size > maximumBytes) throw new UsageError(`${shown} is larger than ${String(maximumBytes)} bytes`);
    return readFileSync(absolute, "utf8");
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${shown} cannot be read: ${escapeUntrusted(path)}`);
  }
}

function parsed(shown: string, text: string) {
  try {
    return jsonObject.safeParse(JSON.parse(text)).data;
  } catch {
    throw new UsageError(`${shown} is not JSON`);
  }
}
