import { hexDigest } from "./declared-digest.js";
import type { Entry, InnerDeclarations, ReaderReport } from "../format.js";
import { isUnavailable, type EntryContent } from "../format.js";
import { MemberDeclarations } from "./member-declarations.js";
import { memberKey, type DeclaredMember, type MemberManifest } from "./manifest.js";
import { mostManifestBytes } from "./read-content.js";

const declaredBy = "the Debian package's md5sums";

/**
 * The sums of a Debian package, which stand in one of its archives (`control.tar`) and speak of the other (`data.tar`).
 * `watch` goes to the first, `apply` to the second; what was not there before the second began is not applied.
 */
export class DebSums {
  #sums: Uint8Array | undefined;
  #configuration: Uint8Array | undefined;

  readonly watch: InnerDeclarations = {
    entry: (entry) => {
      const name = memberKey(entry.name.text ?? "");
      if (name === "md5sums") return watched(entry, (bytes) => void (this.#sums = bytes));
      return name === "conffiles" ? watched(entry, (bytes) => void (this.#configuration = bytes)) : entry;
    },
    finish: () => undefined,
  };

  /** For the archive of files, once the one of sums was read. */
  apply(): InnerDeclarations {
    let declarations: MemberDeclarations | undefined;
    const open = (report: ReaderReport): MemberDeclarations => {
      const opened = new MemberDeclarations(report);
      const manifest = this.#manifest();
      if (manifest !== undefined) opened.add([manifest]);
      return opened;
    };
    return {
      entry: (entry, report) => {
        declarations ??= open(report);
        return declarations.entry(entry);
      },
      finish: (report) => {
        (declarations ?? open(report)).finish();
      },
    };
  }

  #manifest(): MemberManifest | undefined {
    if (this.#sums === undefined) return undefined;
    const members = new Map<string, DeclaredMember>();
    let unchecked = 0;
    for (const line of Buffer.from(this.#sums).toString("utf8").split("\n")) {
      if (line.trim() === "") continue;
      const [, hex = "", path = ""] = /^([0-9a-f]{32})[ *]+(.+)$/iu.exec(line) ?? [];
      const check = hexDigest("md5", hex, declaredBy);
      if (check === undefined) unchecked += 1;
      else members.set(memberKey(path).normalize("NFC"), { checks: [check], optional: false });
    }
    const own = new Set(this.#configurationFiles());
    return { kind: "deb-md5sums", declaredBy, path: undefined, root: "", members, unchecked, problems: [], signatures: [], covers: (path) => !own.has(path) };
  }

  /** Configuration is expected to change, and its sums stand elsewhere once it is installed. */
  #configurationFiles(): readonly string[] {
    const lines = Buffer.from(this.#configuration ?? new Uint8Array(0)).toString("utf8").split("\n");
    return lines.map((line) => memberKey(line.trim().replace(/^\/+/u, "")).normalize("NFC"));
  }
}

/** Shows a small content to somebody else as well when it is read. */
function watched(entry: Entry, take: (bytes: Uint8Array) => void): Entry {
  const { content } = entry;
  if (content === null || isUnavailable(content) || (entry.declaredBytes ?? 0) > mostManifestBytes) return entry;
  const { whole, random: _random, ...rest } = content;
  const shown: EntryContent = { ...rest, stream: () => taken(content.stream(), take) };
  if (whole === undefined) return { ...entry, content: shown };
  return {
    ...entry,
    content: {
      ...shown,
      whole: () => {
        const bytes = whole();
        if (bytes !== undefined) take(Uint8Array.prototype.slice.call(bytes));
        return bytes;
      },
    },
  };
}

async function* taken(pieces: AsyncIterable<Uint8Array>, take: (bytes: Uint8Array) => void): AsyncGenerator<Uint8Array, void, undefined> {
  const kept: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of pieces) {
    bytes += piece.byteLength;
    if (bytes <= mostManifestBytes) kept.push(Uint8Array.prototype.slice.call(piece));
    yield piece;
  }
  if (bytes <= mostManifestBytes) take(Buffer.concat(kept));
}
