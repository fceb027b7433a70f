import { namedPeResource } from "@rea/binary";
import { z } from "@rea/core";
import { asarHeaderCheck } from "../formats/asar/header-check.js";
import type { DeclaredMember, MemberManifest } from "./manifest.js";
import type { ManifestFiles } from "./manifest-files.js";

const declaredBy = "the program's ElectronAsar resource";
const resource = z.array(z.object({ file: z.string(), alg: z.string(), value: z.string() }));

/** Hashes of ASAR headers by the resource `INTEGRITY` / `ELECTRONASAR` of a Windows program; paths count from its directory. */
export async function peAsarIntegrity(path: string, files: ManifestFiles): Promise<MemberManifest | undefined> {
  const opened = await files.open?.(path);
  if (opened === undefined) return undefined;
  try {
    const bytes = namedPeResource(opened, { type: "INTEGRITY", name: "ELECTRONASAR" });
    const declared = bytes === undefined ? undefined : resource.safeParse(jsonOf(bytes)).data;
    if (declared === undefined) return undefined;
    const root = path.slice(0, path.lastIndexOf("/") + 1);
    const known = declared.filter(({ alg }) => alg.toUpperCase() === "SHA256");
    const members = new Map(known.map(({ file, value }): [string, DeclaredMember] => [memberAt(root, file, files.names), { checks: [asarHeaderCheck(value, declaredBy)], optional: false }]));
    return { kind: "asar-integrity", declaredBy, path, root, members, unchecked: declared.length - known.length, problems: [], signatures: [] };
  } finally {
    opened.close();
  }
}

/** The system compares file names without letter case. */
function memberAt(root: string, file: string, names: readonly string[]): string {
  const path = `${root}${file.replaceAll("\\", "/")}`.normalize("NFC");
  return names.find((one) => one.toLowerCase() === path.toLowerCase()) ?? path;
}

function jsonOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString("utf8"));
  } catch {
    return undefined;
  }
}
