import type { EntryKind, EntryName } from "../../format.js";
import { utf8Name } from "../../reading/entry-name.js";
import type { PaxValues } from "./pax-records.js";
import type { TarHeader } from "./tar-header.js";

/** What stands before a member's own header and concerns it. */
export interface MemberExtensions {
  readonly values: PaxValues;
  /** GNU long name and link name. */
  readonly longName: Uint8Array | undefined;
  readonly longLink: Uint8Array | undefined;
  /** Every reader understands these headers alike. */
  readonly isPlain: boolean;
  /** The headers as they stand, with their padding, where they are plain and no source has them. */
  readonly raw: readonly Uint8Array[];
}

export interface MemberFacts {
  readonly name: EntryName;
  readonly link: Uint8Array;
  readonly kind: EntryKind;
  /** Bytes stored behind the header; undefined when malformed. */
  readonly storedBytes: number | undefined;
  readonly executable: boolean | null;
  readonly limitations: readonly string[];
}

const kinds: { readonly [typeflag: string]: EntryKind | undefined } = {
  "1": "hardlink",
  "2": "symlink",
  "3": "special",
  "4": "special",
  "5": "directory",
  "6": "special",
  D: "directory",
  V: "special",
};

const files: ReadonlySet<string> = new Set(["\0", "0", "7", "S"]);
const slash = 0x2f;

/** Joins a header and its extensions: pax wins over GNU long names, both over the header (POSIX.1-2001 pax). */
export function memberFacts(header: TarHeader, { values, longName, longLink }: MemberExtensions): MemberFacts {
  const name = values.bytes("GNU.sparse.name") ?? values.bytes("path") ?? longName ?? header.name;
  const kind = kindOf(header, name);
  return {
    name: utf8Name(name),
    link: values.bytes("linkpath") ?? longLink ?? header.link,
    kind,
    storedBytes: values.isMalformed("size") ? undefined : (values.number("size") ?? header.size),
    executable: kind === "file" && header.mode !== undefined ? (header.mode & 0o111) !== 0 : null,
    limitations: limitations(header.typeflag),
  };
}

/** Unknown kinds are regular files, as POSIX asks; so is one with a slash at the end a directory, as V7 wrote it. */
function kindOf({ typeflag }: TarHeader, name: Uint8Array): EntryKind {
  const kind = kinds[typeflag] ?? "file";
  return kind === "file" && files.has(typeflag) && name.at(-1) === slash ? "directory" : kind;
}

function limitations(typeflag: string): readonly string[] {
  if (typeflag === "M") return ["The member goes on from another volume; only what this volume holds was read."];
  if (typeflag === "V") return ["The entry is a volume label, not a file."];
  if (files.has(typeflag) || kinds[typeflag] !== undefined) return [];
  return ["The member is of a kind that is not known; it was read as a regular file."];
}
