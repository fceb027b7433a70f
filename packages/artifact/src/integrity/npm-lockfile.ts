import { z } from "@rea/core";
import { algorithmNamed, base64Digest, digestAlgorithms } from "./declared-digest.js";
import type { DeclaredMember, MemberManifest } from "./manifest.js";
import type { ManifestFiles } from "./manifest-files.js";

const declaredBy = "the npm lockfile";

const locked = z.object({ resolved: z.string().optional().catch(undefined), version: z.string().optional().catch(undefined), integrity: z.string().optional().catch(undefined) });
const lockfile = z.object({ packages: z.record(z.string(), locked.catch({})).optional().catch(undefined), dependencies: z.record(z.string(), locked.catch({})).optional().catch(undefined) });

/** Digests of package files that a lockfile names beside itself (`file:vendor/name.tgz`). */
export async function npmLockfile(path: string, files: ManifestFiles): Promise<MemberManifest | undefined> {
  const bytes = await files.read(path);
  const parsed = bytes === undefined ? undefined : lockfile.safeParse(jsonOf(bytes)).data;
  if (parsed === undefined) return undefined;
  const root = path.slice(0, path.lastIndexOf("/") + 1);
  const members = new Map<string, DeclaredMember>();
  let unchecked = 0;
  for (const { resolved, version, integrity } of [...Object.values(parsed.packages ?? {}), ...Object.values(parsed.dependencies ?? {})]) {
    const file = localFile(resolved) ?? localFile(version);
    if (integrity === undefined) continue;
    const check = strongest(integrity);
    if (file === undefined || check === undefined) unchecked += 1;
    else members.set(`${root}${file}`.normalize("NFC"), { checks: [check], optional: false });
  }
  if (members.size === 0) return undefined;
  return { kind: "npm-lockfile", declaredBy, path, root, members, unchecked, problems: [], signatures: [] };
}

function jsonOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString("utf8"));
  } catch {
    return undefined;
  }
}

function localFile(text: string | undefined): string | undefined {
  const path = /^file:(?:\.\/)*([^?#]+)$/u.exec(text ?? "")?.[1];
  return path === undefined || path.startsWith("/") || path.split("/").includes("..") ? undefined : path;
}

/** Subresource integrity: of several digests the strongest kind counts; several of that kind are alternatives and are not checked. */
function strongest(integrity: string): DeclaredMember["checks"][number] | undefined {
  const given = integrity.trim().split(/\s+/u).map((one) => /^([a-z0-9]+)-([^?]+)/u.exec(one));
  for (const algorithm of digestAlgorithms) {
    const values = given.filter((one) => one !== null && algorithmNamed(one[1] ?? "") === algorithm);
    if (values.length === 1) return base64Digest(algorithm, values[0]?.[2] ?? "", declaredBy);
    if (values.length > 1) return undefined;
  }
  return undefined;
}
