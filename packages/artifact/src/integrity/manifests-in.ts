import { isReaError } from "@rea/core";
import type { MemberManifest } from "./manifest.js";
import type { ManifestFiles } from "./manifest-files.js";
import { mayDeclareAsar } from "./may-declare-asar.js";

interface Reader {
  /** Which names are lists of this kind. */
  readonly is: (name: string, names: readonly string[]) => boolean;
  readonly read: (name: string, files: ManifestFiles) => Promise<MemberManifest | undefined>;
}

/** Most artifacts hold none of these lists, and no two kinds of them: each reader is loaded with the first of its lists. */
const readers: readonly Reader[] = [
  { is: (name) => /^META-INF\/MANIFEST\.MF$/iu.test(name), read: async (name, files) => (await import("./jar-manifest.js")).jarManifest(name, files) },
  { is: (name) => /(?:^|\/)[^/]+\.dist-info\/RECORD$/u.test(name), read: async (name, files) => (await import("./wheel-record.js")).wheelRecord(name, files) },
  { is: (name) => /(?:^|\/)_CodeSignature\/CodeResources$/u.test(name), read: async (name, files) => (await import("./code-resources.js")).codeResources(name, files) },
  { is: (name) => /(?:^|\/)AppxBlockMap\.xml$/u.test(name), read: async (name, files) => (await import("./appx-block-map.js")).blockMap(name, files) },
  { is: (name) => /(?:^|\/)AppxSignature\.p7x$/u.test(name), read: async (name, files) => (await import("./appx-signature.js")).appxSignature(name, files) },
  { is: (name) => /^(?:package\/services\/digital-signature\/xml-signature\/[^/]+\.psdsxs|_xmlsignatures\/[^/]+\.xml)$/u.test(name), read: async (name, files) => (await import("./opc-signature.js")).opcSignature(name, files) },
  { is: (name) => /(?:^|\/)(?:package-lock|npm-shrinkwrap)\.json$/u.test(name), read: async (name, files) => (await import("./npm-lockfile.js")).npmLockfile(name, files) },
  { is: (name) => /(?:^|\/)Contents\/Info\.plist$/u.test(name), read: async (name, files) => (await import("./asar-integrity.js")).asarIntegrity(name, files) },
  { is: mayDeclareAsar, read: async (name, files) => (await import("./pe-asar-integrity.js")).peAsarIntegrity(name, files) },
];

const beside = /^META-INF\/[^/]+\.(?:SF|RSA|DSA|EC)$|(?:^|\/)(?:Info\.plist|[^/]+\.dist-info\/INSTALLER|[^/]+\.exe|resources\/[^/]+\.asar)$/iu;
/** Most names are none of these, and there may be hundreds of thousands. */
const likely = /(?:MANIFEST\.MF|\.SF|\.RSA|\.DSA|\.EC|RECORD|INSTALLER|CodeResources|\.p7x|\.psdsxs|\.xml|\.json|Info\.plist|\.exe|\.asar)$/iu;

/** Bytes at the end of a name that `endsLikely` looks at. */
export const likelyTail = 16;

/** False for most names, by their last characters alone: directories of archives hold hundreds of thousands. */
export function endsLikely(tail: string): boolean {
  return likely.test(tail);
}

/** True for names of lists and of what belongs to one, so that a directory is searched once. */
export function isManifestName(name: string): boolean {
  return likely.test(name) && (beside.test(name) || readers.some(({ is }) => is(name, [])));
}

/** Every list among the members. Damaged lists are left out or say what is wrong with them; nothing is thrown but `cancelled`. */
export async function manifestsIn(files: ManifestFiles): Promise<readonly MemberManifest[]> {
  const found: MemberManifest[] = [];
  for (const name of files.names) {
    for (const { is, read } of readers) {
      if (!is(name, files.names)) continue;
      const manifest = await readOrNone(() => read(name, files));
      if (manifest !== undefined) found.push(manifest);
    }
  }
  return found;
}

async function readOrNone(read: () => Promise<MemberManifest | undefined>): Promise<MemberManifest | undefined> {
  try {
    return await read();
  } catch (error) {
    if (isReaError(error) && error.code === "artifact_operation_failed") return undefined;
    throw error;
  }
}
