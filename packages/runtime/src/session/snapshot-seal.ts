import { createHash } from "node:crypto";
import { evidenceRefusal } from "@rea/core";

/**
 * Adds the member `sha256` to the text of a snapshot file: the digest of all other bytes of the file. It shows that nothing
 * was changed since the file was saved; it does not show who saved it, since anybody can compute a digest.
 *
 * @param body The text up to the member, in pieces.
 * @param tail The text behind it, from the comma on.
 */
export function* sealed(body: Iterable<string>, tail: string): Generator<string> {
  const hash = createHash("sha256");
  for (const piece of body) {
    hash.update(piece);
    yield piece;
  }
  yield `${memberText(hash.update(tail).digest("hex"))}${tail}`;
}

/** Checks the digest that `sealed` put into a file. Throws `evidence_integrity_mismatch` when any byte has changed. */
export function checkSeal(bytes: Uint8Array, tail: string, expected: string): void {
  const end = bytes.length - Buffer.byteLength(tail);
  const start = end - Buffer.byteLength(memberText(expected));
  const actual =
    start > 0 ? createHash("sha256").update(bytes.subarray(0, start)).update(bytes.subarray(end)).digest("hex") : "";
  const member = start > 0 ? Buffer.from(bytes.subarray(start, end)).toString("latin1") : "";
  if (actual === expected && member === memberText(expected)) return;
  throw evidenceRefusal("id_mismatch", "The analysis snapshot was changed after it was saved.", {
    constraint: "sha256",
    expected,
    actual,
  });
}

function memberText(sha256: string): string {
  return `,"sha256":"${sha256}"`;
}
