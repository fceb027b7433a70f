import { propertyListString, plistEntry, readPropertyList, type PlistValue } from "@rea/binary";
import type { DeclaredCheck } from "../format.js";
import type { DeclaredMember, MemberManifest } from "./manifest.js";
import type { ManifestFiles } from "./manifest-files.js";

const declaredBy = "the bundle's CodeResources";

/** Sealed files by `_CodeSignature/CodeResources`: `files2` where it is there, else the older `files` of SHA-1 digests. */
export async function codeResources(path: string, files: ManifestFiles): Promise<MemberManifest | undefined> {
  const bytes = await files.read(path);
  const list = bytes === undefined ? undefined : readPropertyList(bytes);
  if (list === undefined) return undefined;
  const root = path.slice(0, -"_CodeSignature/CodeResources".length);
  const members = new Map<string, DeclaredMember>();
  let unchecked = 0;
  const add = (name: string, value: PlistValue): void => {
    const declared = declaredMember(value);
    if (declared === undefined) unchecked += 1;
    else members.set(`${root}${name}`.normalize("NFC"), declared);
  };
  for (const [name, value] of entriesOf(plistEntry(list.root, "files2"))) add(name, value);
  for (const [name, value] of entriesOf(plistEntry(list.root, "files"))) {
    // The older list is a part of the newer one; nested code stands in the newer one only.
    if (!members.has(`${root}${name}`.normalize("NFC"))) add(name, value);
  }
  const covers = await sealedPlaces(root, list.root, files);
  return { kind: "code-resources", declaredBy, path, root, members, unchecked, problems: [], signatures: [], ...(covers === undefined ? {} : { covers }) };
}

function* entriesOf(value: PlistValue | undefined): Generator<readonly [name: string, value: PlistValue]> {
  if (value?.kind !== "dictionary") return;
  for (let index = 0; index < value.length; index += 1) {
    const key = value.key(index);
    if (key.kind === "string") yield [key.text, value.value(index)];
  }
}

/** A plain SHA-1 digest, or a dictionary of digests or a link; undefined for nested code, which is known by its own signature. */
function declaredMember(value: PlistValue): DeclaredMember | undefined {
  if (value.kind === "data") return { checks: [digest("sha1", value.bytes)], optional: false };
  if (value.kind !== "dictionary") return undefined;
  const [optional, link, sha1, sha256] = ["optional", "symlink", "hash", "hash2"].map((name) => plistEntry(value, name));
  const checks = [...(sha256?.kind === "data" ? [digest("sha256", sha256.bytes)] : []), ...(sha1?.kind === "data" ? [digest("sha1", sha1.bytes)] : [])];
  if (checks.length === 0 && link?.kind !== "string") return undefined;
  return { checks, optional: optional?.kind === "boolean" && optional.value, ...(link?.kind === "string" ? { link: link.text } : {}) };
}

function digest(algorithm: "sha1" | "sha256", bytes: Uint8Array): DeclaredCheck {
  return { kind: "digest", algorithm, hex: Buffer.from(bytes).toString("hex"), declaredBy };
}

/** Rules that leave files out, as Apple's signer writes them. */
const usualOmissions: ReadonlySet<string> = new Set([
  "^(.*/)?\\.DS_Store$",
  "^Info\\.plist$",
  "^PkgInfo$",
  "^Resources/.*\\.lproj/locversion.plist$",
  "^.*\\.lproj/locversion.plist$",
  "^.*\\.lproj/",
  "^Resources/.*\\.lproj/",
  "^Base\\.lproj/",
  "^Resources/Base\\.lproj/",
]);
const leftOut = /(?:^|\/)(?:\.DS_Store|Info\.plist|PkgInfo|locversion\.plist|_CodeSignature\/.*)$/u;

/**
 * Places where every file is sealed: the resources. The rules are patterns of the target and are not run; a bundle with
 * rules of its own that leave files out makes no claim.
 */
async function sealedPlaces(root: string, list: PlistValue, files: ManifestFiles): Promise<MemberManifest["covers"] | undefined> {
  const rules = plistEntry(list, "rules2") ?? plistEntry(list, "rules");
  for (const [pattern, rule] of entriesOf(rules)) {
    const omit = plistEntry(rule, "omit");
    if (omit?.kind === "boolean" && omit.value && !usualOmissions.has(pattern)) return undefined;
  }
  const plist = await files.read(`${root}Info.plist`);
  const program = plist === undefined ? undefined : propertyListString(plist, "CFBundleExecutable");
  const sealed = root.endsWith("Contents/") ? [`${root}Resources/`] : [`${root}Resources/`, ...(program === undefined ? [] : [root])];
  return (path) => {
    if (leftOut.test(path) || path === `${root}${program ?? ""}` || isNestedCode(path.slice(root.length))) return false;
    return sealed.some((prefix) => path.startsWith(prefix));
  };
}

/** Bundles inside a bundle are sealed by their own lists. */
function isNestedCode(path: string): boolean {
  return /^(?:Frameworks|PlugIns|SharedFrameworks|Plugins|XPCServices|Watch|MacOS|Helpers|Library|AppClips|SC_Info)\//u.test(path) || /\.(?:app|framework|appex|bundle|xpc|dSYM)\//u.test(path);
}
