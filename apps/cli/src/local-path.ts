import { resolve } from "node:path";

/** A path as the user wrote it, made absolute; URLs stay as they are so that the tool can refuse them by form. */
export function localPath(text: string): string {
  return isUrl(text) ? text : resolve(text);
}

export function isUrl(text: string): boolean {
  return /^([A-Za-z][A-Za-z0-9+.-]+:\/\/|file:)/i.test(text);
}
