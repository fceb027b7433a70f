import type { FileFacts, MapFacts, PageFacts } from "../files/file-facts.js";
import { encodeText, type Text } from "../text/decode.js";

/** What was found in one file. */
export type FoundFacts =
  | { readonly kind: "script"; readonly facts: FileFacts }
  | { readonly kind: "page"; readonly facts: PageFacts }
  | { readonly kind: "map"; readonly facts: MapFacts };

export function factsText({ kind, facts }: FoundFacts): Text {
  return encodeText(JSON.stringify({ kind, facts }));
}

/** Only texts of this code get here, by a thread or by a pack of the cache that is whole, so their shape is known. */
export function factsIn(text: Uint8Array): FoundFacts | undefined {
  const value: unknown = JSON.parse(Buffer.from(text.buffer, text.byteOffset, text.byteLength).toString("utf8"));
  return isFound(value) ? value : undefined;
}

function isFound(value: unknown): value is FoundFacts {
  return typeof value === "object" && value !== null && "kind" in value && "facts" in value;
}
