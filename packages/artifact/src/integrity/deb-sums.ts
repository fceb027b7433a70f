import { hexDigest } from "./declared-digest.js";
import type { InnerDeclarations, ReaderReport } from "../format.js";
import { kept } from "./keep-content.js";
import { MemberDeclarations } from "./member-declarations.js";
import { memberKey, type DeclaredMember, type MemberManifest } from "./manifest.js";

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
      if (name === "md5sums") {
        return kept(entry, (bytes) => {
          this.#sums = bytes;
        });
      }
      if (name !== "conffiles") return entry;
      return kept(entry, (bytes) => {
        this.#configuration = bytes;
      });
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
