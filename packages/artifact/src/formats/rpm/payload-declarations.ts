import { hexDigest } from "../../integrity/declared-digest.js";
import type { DigestAlgorithm, InnerDeclarations } from "../../format.js";
import { memberKey, type DeclaredMember, type MemberManifest } from "../../integrity/manifest.js";
import { MemberDeclarations } from "../../integrity/member-declarations.js";
import type { RpmHeader } from "./rpm-header.js";

const declaredBy = "the rpm header's file digests";
const tags = { flags: 1037, modes: 1030, digests: 1035, directoryIndexes: 1116, baseNames: 1117, directories: 1118, algorithm: 5011, digestOfContent: 5097, payloadAlgorithm: 5093 } as const;
const ghost = 0x40;
const typeMask = 0xf000;
const regular = 0x8000;

/** Numbers of hash algorithms in OpenPGP, which rpm uses. */
const algorithms: { readonly [id: number]: DigestAlgorithm | undefined } = { 1: "md5", 2: "sha1", 8: "sha256", 9: "sha384", 10: "sha512" };

/** What a package's header says of the files in its payload, and of the payload before it was compressed. */
export function payloadDeclarations(header: RpmHeader): InnerDeclarations {
  let declarations: MemberDeclarations | undefined;
  const manifest = fileDigests(header);
  const content = contentCheck(header);
  const open = (report: ConstructorParameters<typeof MemberDeclarations>[0]): MemberDeclarations => {
    const opened = new MemberDeclarations(report);
    opened.add([manifest]);
    return opened;
  };
  return {
    entry: (entry, report) => {
      declarations ??= open(report);
      return declarations.entry(entry);
    },
    extracted: (entry) => (content === undefined ? entry : { ...entry, checks: [...entry.checks, content] }),
    finish: (report) => {
      (declarations ?? open(report)).finish();
    },
  };
}

function contentCheck(header: RpmHeader) {
  const algorithm = algorithms[header.number(tags.payloadAlgorithm) ?? 0];
  const hex = header.text(tags.digestOfContent);
  return algorithm === undefined || hex === undefined ? undefined : hexDigest(algorithm, hex, "rpm header");
}

function fileDigests(header: RpmHeader): MemberManifest {
  // A header without the number is of the time when there was MD5 only.
  const algorithm = algorithms[header.number(tags.algorithm) ?? 1];
  const [directories, indexes, flags, modes, digests] = [header.texts(tags.directories), header.numbers(tags.directoryIndexes), header.numbers(tags.flags), header.numbers(tags.modes), header.texts(tags.digests)];
  const members = new Map<string, DeclaredMember>();
  let unchecked = 0;
  for (const [index, name] of header.texts(tags.baseNames).entries()) {
    const isFile = ((modes[index] ?? regular) & typeMask) === regular && ((flags[index] ?? 0) & ghost) === 0;
    if (!isFile) continue;
    const check = algorithm === undefined ? undefined : hexDigest(algorithm, digests[index] ?? "", declaredBy);
    if (check === undefined) unchecked += 1;
    else members.set(pathOf(`${directories[indexes[index] ?? -1] ?? ""}${name}`), { checks: [check], optional: false });
  }
  return { kind: "rpm-header", declaredBy, path: undefined, root: "", members, unchecked, problems: [], signatures: [] };
}

/** Names are bytes, UTF-8 by custom; payloads write them below the root with `./` in front or nothing. */
function pathOf(latin: string): string {
  return memberKey(Buffer.from(latin, "latin1").toString("utf8").replace(/^\/+/u, "")).normalize("NFC");
}
