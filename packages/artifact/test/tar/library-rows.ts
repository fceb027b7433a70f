import { createHash } from "node:crypto";
import { extract, type Header } from "tar-stream";

/** A member as the library sees it by itself. */
export interface LibraryRow {
  readonly name: string;
  readonly type: string | null;
  readonly size: number;
  readonly link: string | null;
  readonly sha256: string;
}

/** Everything the library sees in an archive by itself, none of our code between; undefined when it gives up. */
export async function libraryRows(bytes: Uint8Array): Promise<readonly LibraryRow[] | undefined> {
  const rows: LibraryRow[] = [];
  // The option is missing in the library's own types.
  const options = { allowUnknownFormat: true, highWaterMark: 16_384 };
  const reader = extract(options);
  reader.end(Buffer.from(bytes));
  try {
    for await (const entry of reader) {
      const digest = createHash("sha256");
      for await (const piece of entry) if (piece instanceof Uint8Array) digest.update(piece);
      rows.push(rowOf(entry.header, digest.digest("hex")));
    }
    return rows;
  } catch {
    return undefined;
  }
}

function rowOf({ name, type, size, linkname }: Header, sha256: string): LibraryRow {
  return { name, type, size, link: linkname, sha256 };
}
