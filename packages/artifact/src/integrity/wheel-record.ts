import { algorithmNamed, base64Digest } from "./declared-digest.js";
import type { DeclaredMember, MemberManifest } from "./manifest.js";
import type { ManifestFiles } from "./manifest-files.js";

const declaredBy = "the wheel's RECORD";

/** Digests by `RECORD` of a Python distribution (binary distribution format; database of installed distributions). */
export async function wheelRecord(path: string, files: ManifestFiles): Promise<MemberManifest | undefined> {
  const bytes = await files.read(path);
  if (bytes === undefined) return undefined;
  const directory = path.slice(0, path.lastIndexOf("/"));
  const root = directory.slice(0, directory.lastIndexOf("/") + 1);
  const members = new Map<string, DeclaredMember>();
  let unchecked = 0;
  for (const [name = "", digest = "", size = ""] of csvRows(Buffer.from(bytes).toString("utf8"))) {
    const member = inside(root, name);
    const checks = [...digestOf(digest), ...sizeOf(size)];
    if (member === undefined || checks.length === 0) unchecked += Number(name !== "" && member !== path);
    else members.set(member, { checks, optional: false });
  }
  // In an installed tree other distributions lie beside this one; in a wheel there is nothing else.
  const isWheel = root === "" && !files.names.some((name) => /\.dist-info\/RECORD$/u.test(name) && name !== path);
  const own = new Set([path, `${path}.jws`, `${path}.p7s`]);
  const covers = (member: string): boolean => !own.has(member);
  return { kind: "wheel-record", declaredBy, path, root, members, unchecked, problems: [], signatures: [], ...(isWheel && !(await isInstalled(directory, files)) ? { covers } : {}) };
}

/** Installers leave their name beside the record. */
async function isInstalled(directory: string, files: ManifestFiles): Promise<boolean> {
  return (await files.read(`${directory}/INSTALLER`)) !== undefined;
}

/** A path of the record from the container's root; undefined for one that leads out of it. */
function inside(root: string, name: string): string | undefined {
  if (name === "" || name.startsWith("/") || name.includes("\0")) return undefined;
  const segments = root.split("/").filter((segment) => segment !== "");
  for (const segment of name.split("/")) {
    if (segment === "." || segment === "") continue;
    if (segment !== "..") segments.push(segment);
    else if (segments.pop() === undefined) return undefined;
  }
  const path = segments.join("/").normalize("NFC");
  return path.startsWith(root) ? path : undefined;
}

function digestOf(text: string): DeclaredMember["checks"] {
  const [, name = "", value = ""] = /^([a-z0-9]+)=([\w-]+={0,2})$/iu.exec(text) ?? [];
  const algorithm = algorithmNamed(name);
  const check = algorithm === undefined ? undefined : base64Digest(algorithm, value, declaredBy);
  return check === undefined ? [] : [check];
}

function sizeOf(text: string): DeclaredMember["checks"] {
  return /^\d{1,15}$/u.test(text) ? [{ kind: "size", bytes: Number(text) }] : [];
}

/** Rows of comma-separated values with quotes as in RFC 4180. */
export function* csvRows(text: string): Generator<readonly string[]> {
  let row: string[] = [];
  const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|\n|\r|$)/uy;
  while (field.lastIndex < text.length) {
    const match = field.exec(text);
    // What fits no rule ends the list; everything before it stands.
    if (match === null) return;
    const [, quoted, plain, end] = match;
    row.push(quoted?.replaceAll('""', '"') ?? plain ?? "");
    if (end === ",") continue;
    yield row;
    row = [];
  }
  if (row.length > 0) yield row;
}
