import { plistEntry, readPropertyList, type PlistValue } from "@rea/binary";
import { asarHeaderCheck } from "../formats/asar/header-check.js";
import type { DeclaredMember, MemberManifest } from "./manifest.js";
import type { ManifestFiles } from "./manifest-files.js";

const declaredBy = "ElectronAsarIntegrity";

/** Hashes of ASAR headers by `ElectronAsarIntegrity` of an application's Info.plist; paths count from `Contents`. */
export async function asarIntegrity(path: string, files: ManifestFiles): Promise<MemberManifest | undefined> {
  const bytes = await files.read(path);
  const list = bytes === undefined ? undefined : readPropertyList(bytes);
  const declared = list === undefined ? undefined : plistEntry(list.root, "ElectronAsarIntegrity");
  if (declared?.kind !== "dictionary") return undefined;
  const root = path.slice(0, -"Info.plist".length);
  const members = new Map<string, DeclaredMember>();
  let unchecked = 0;
  for (let index = 0; index < declared.length; index += 1) {
    const [key, value] = [declared.key(index), declared.value(index)];
    const [algorithm, hash] = [textOf(plistEntry(value, "algorithm")), textOf(plistEntry(value, "hash"))];
    if (key.kind === "string" && algorithm === "SHA256" && hash !== undefined) {
      members.set(`${root}${key.text}`.normalize("NFC"), { checks: [asarHeaderCheck(hash, declaredBy)], optional: false });
    } else unchecked += 1;
  }
  return { kind: "asar-integrity", declaredBy, path, root, members, unchecked, problems: [], signatures: [] };
}

function textOf(value: PlistValue | undefined): string | undefined {
  return value?.kind === "string" ? value.text : undefined;
}
