import { algorithmNamed, base64Digest } from "./declared-digest.js";
import type { DeclaredMember, MemberManifest } from "./manifest.js";
import type { ManifestFiles } from "./manifest-files.js";
import { xmlElements } from "./xml-elements.js";

const declaredBy = "an Open Packaging digital signature";

interface Reference {
  readonly part: string | undefined;
  transformed: boolean;
  algorithm: string;
  value: string;
}

/**
 * Digests of parts by an XML signature of an Open Packaging container (VSIX, Office documents). References that
 * transform a part before they digest it (relationships) are counted and not checked, and neither is the XML signature.
 */
export async function opcSignature(path: string, files: ManifestFiles): Promise<MemberManifest | undefined> {
  const bytes = await files.read(path);
  if (bytes === undefined) return undefined;
  const members = new Map<string, DeclaredMember>();
  let unchecked = 0;
  for (const { part, transformed, algorithm, value } of references(bytes)) {
    if (part === undefined) continue;
    const known = algorithmNamed(algorithm);
    const check = transformed || known === undefined ? undefined : base64Digest(known, value, declaredBy);
    if (check === undefined) unchecked += 1;
    else members.set(part, { checks: [check], optional: false });
  }
  const problems = ["Digests of parts are checked; the XML signature itself is not."];
  const signature = { scheme: "opc", path, verdict: "not_verified" as const, problems, signers: [], certificates: [] };
  return { kind: "opc-signature", declaredBy, path, root: "", members, unchecked, problems: [], signatures: [signature] };
}

function references(bytes: Uint8Array): readonly Reference[] {
  const found: Reference[] = [];
  for (const element of xmlElements(bytes)) {
    if ("end" in element) continue;
    const last = found.at(-1);
    const { name, attributes, text } = element;
    if (name === "Reference") found.push({ part: partOf(attributes.get("URI") ?? ""), transformed: false, algorithm: "", value: "" });
    else if (last === undefined) continue;
    else if (name === "Transform") last.transformed = true;
    else if (name === "DigestMethod") last.algorithm = /#(\w+)$/u.exec(attributes.get("Algorithm") ?? "")?.[1] ?? "";
    else if (name === "DigestValue") last.value = text;
  }
  return found;
}

/** `/part/name.xml?ContentType=…`; undefined for references inside the signature. */
function partOf(uri: string): string | undefined {
  const path = /^\/([^?#]+)/u.exec(uri)?.[1];
  return path?.normalize("NFC");
}
