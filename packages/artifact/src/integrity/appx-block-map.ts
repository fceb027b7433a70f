import { algorithmNamed } from "./declared-digest.js";
import type { DigestAlgorithm } from "../format.js";
import type { DeclaredMember, MemberManifest } from "./manifest.js";
import type { ManifestFiles } from "./manifest-files.js";
import { xmlElements } from "./xml-elements.js";

const declaredBy = "AppxBlockMap.xml";
const blockBytes = 65_536;
/** Files of the package itself, which the block map leaves out. */
const ownFiles: ReadonlySet<string> = new Set(["AppxBlockMap.xml", "AppxSignature.p7x", "[Content_Types].xml", "AppxMetadata/CodeIntegrity.cat"]);

interface FileBlocks {
  readonly name: string;
  readonly bytes: number | undefined;
  readonly hashes: string[];
}

/** Digests of blocks of 64 KiB by `AppxBlockMap.xml` of an APPX or MSIX package. */
export async function blockMap(path: string, files: ManifestFiles): Promise<MemberManifest | undefined> {
  const bytes = await files.read(path);
  if (bytes === undefined) return undefined;
  const root = path.slice(0, -"AppxBlockMap.xml".length);
  const { algorithm, blocks } = readBlocks(bytes);
  const members = new Map<string, DeclaredMember>();
  let unchecked = 0;
  for (const { name, bytes: size, hashes } of blocks) {
    const checks = algorithm === undefined ? [] : checksOf(algorithm, size, hashes);
    if (checks.length === 0) unchecked += 1;
    for (const member of spellings(name)) members.set(`${root}${member}`.normalize("NFC"), { checks, optional: member !== spellings(name)[0] });
  }
  const covers = (member: string): boolean => !ownFiles.has(member.slice(root.length));
  return { kind: "appx-block-map", declaredBy, path, root, members, unchecked, problems: [], signatures: [], covers };
}

function readBlocks(bytes: Uint8Array): { readonly algorithm: DigestAlgorithm | undefined; readonly blocks: readonly FileBlocks[] } {
  let algorithm: DigestAlgorithm | undefined;
  const blocks: FileBlocks[] = [];
  for (const element of xmlElements(bytes)) {
    if ("end" in element) continue;
    const { name, attributes } = element;
    if (name === "BlockMap") algorithm = algorithmNamed(/#(\w+)$/u.exec(attributes.get("HashMethod") ?? "")?.[1] ?? "");
    else if (name === "File") blocks.push({ name: (attributes.get("Name") ?? "").replaceAll("\\", "/"), bytes: wholeNumber(attributes.get("Size")), hashes: [] });
    else if (name === "Block") blocks.at(-1)?.hashes.push(Buffer.from(attributes.get("Hash") ?? "", "base64").toString("hex"));
  }
  return { algorithm, blocks };
}

function wholeNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,15}$/u.test(text) ? Number(text) : undefined;
}

function checksOf(algorithm: DigestAlgorithm, size: number | undefined, hashes: readonly string[]): DeclaredMember["checks"] {
  const sized: DeclaredMember["checks"] = size === undefined ? [] : [{ kind: "size", bytes: size }];
  return [...sized, { kind: "blocks", algorithm, blockBytes, hex: hashes, declaredBy }];
}

/** Part names in the archive are escaped as URIs, names in the map are not. */
function spellings(name: string): readonly string[] {
  const escaped = name.split("/").map(escapedSegment).join("/");
  return escaped === name ? [name] : [escaped, name];
}

function escapedSegment(segment: string): string {
  return encodeURIComponent(Buffer.from(segment).toString()).replace(/%(?:21|24|27|28|29|2A|2B|2C|3B|3D|40)/gu, decodeURIComponent);
}
