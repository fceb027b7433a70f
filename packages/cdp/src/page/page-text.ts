import { escapeUntrusted } from "@rea/core";
import { shownUrl } from "../targets/shown-url.js";

/** A URL of the page as results carry it. */
export function pageUrl(url: string): string {
  return escapeUntrusted(shownUrl(url));
}

/** Text of the page, cut to so many bytes of UTF-8 on a character, then escaped. */
export function pageText(text: string, maximumBytes: number): { readonly text: string; readonly truncated: boolean } {
  const kept = cutToBytes(text, maximumBytes);
  return { text: escapeUntrusted(kept), truncated: kept.length < text.length };
}

/** A word of the protocol or a name of the page: one line, at most 256 characters. */
export function pageWord(text: string): string {
  return escapeUntrusted(cutToBytes(text, 256));
}

function cutToBytes(text: string, maximumBytes: number): string {
  if (text.length * 3 <= maximumBytes || Buffer.byteLength(text) <= maximumBytes) return text;
  let bytes = 0;
  let end = 0;
  for (const character of text) {
    bytes += Buffer.byteLength(character);
    if (bytes > maximumBytes) break;
    end += character.length;
  }
  return text.slice(0, end);
}
