import { attributeSections, namedSections, type AttributeSection } from "./attribute-sections.js";
import { algorithmNamed, base64Digest } from "./declared-digest.js";
import type { DeclaredCheck } from "../format.js";
import { jarSignatureFiles } from "./jar-signature.js";
import type { DeclaredMember, MemberManifest } from "./manifest.js";
import type { ManifestFiles } from "./manifest-files.js";

const declaredBy = "the JAR manifest";
/** Files of the signature itself, which no manifest names. */
const ownFile = /^META-INF\/(?:MANIFEST\.MF|[^/]+\.(?:SF|RSA|DSA|EC)|SIG-[^/]*)$/iu;

/** Digests of members by `META-INF/MANIFEST.MF`, and what the signature files say of the manifest itself. */
export async function jarManifest(path: string, files: ManifestFiles): Promise<MemberManifest | undefined> {
  const bytes = await files.read(path);
  if (bytes === undefined) return undefined;
  const sections = attributeSections(bytes);
  const members = new Map<string, DeclaredMember>();
  let unchecked = 0;
  for (const { name, section } of namedSections(sections)) {
    const checks = digestsOf(section);
    if (checks.length > 0) members.set(name, { checks, optional: false });
    else if (isDigested(section)) unchecked += 1;
  }
  const signed = await jarSignatureFiles({ path, bytes, sections }, files);
  for (const [name, declared] of signed.members) members.set(name, declared);
  const { problems, signatures, isSigned } = signed;
  const covers = (member: string): boolean => !ownFile.test(member);
  return { kind: "jar-manifest", declaredBy, path, root: "", members, unchecked, problems, signatures, ...(isSigned ? { covers } : {}) };
}

const digestName = /^(.+)-digest$/u;

function digestsOf({ attributes }: AttributeSection): readonly DeclaredCheck[] {
  return [...attributes].flatMap(([name, value]) => {
    const algorithm = algorithmNamed(digestName.exec(name)?.[1] ?? "");
    const check = algorithm === undefined ? undefined : base64Digest(algorithm, value, declaredBy);
    return check === undefined ? [] : [check];
  });
}

function isDigested({ attributes }: AttributeSection): boolean {
  return [...attributes.keys()].some((name) => digestName.test(name));
}
