import { readdirSync, type Dirent } from "node:fs";

/** One child as its directory names it. */
export interface ListedChild {
  /** The bytes of its name, one character each. */
  readonly name: string;
  readonly kind: "file" | "directory" | "symlink" | "other";
}

/**
 * Children of a directory of the host, sorted by the bytes of their names. Throws what the system throws.
 *
 * Names come as text of one character a byte where the path allows it: a buffer for each of many names costs more than all
 * the rest. A file system that does not tell kinds has them looked up by path, which such names do not lead to.
 */
export function hostListing(path: Buffer): readonly ListedChild[] {
  const children = listedAsText(path) ?? readdirSync(path, { encoding: "buffer", withFileTypes: true }).map((child) => listed(child, child.name.toString("latin1")));
  return children.sort((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name)));
}

function listedAsText(path: Buffer): ListedChild[] | undefined {
  const text = path.toString("latin1");
  if (!/^[\u0001-\u007f]*$/u.test(text)) return undefined;
  try {
    return readdirSync(text, { encoding: "latin1", withFileTypes: true }).map((child) => listed(child, child.name));
  } catch {
    // The other way fails as well, and says why, or gets by.
    return undefined;
  }
}

function listed(child: Dirent<string | Buffer>, name: string): ListedChild {
  if (child.isFile()) return { name, kind: "file" };
  if (child.isDirectory()) return { name, kind: "directory" };
  return { name, kind: child.isSymbolicLink() ? "symlink" : "other" };
}

/** The bytes of a listed name. */
export function nameBytes(name: string): Buffer {
  return Buffer.from(name, "latin1");
}

/** A listed name, or several as a path, as the text that UTF-8 makes of it. */
export function nameText(name: string): string {
  return /^[\u0001-\u007f]*$/u.test(name) ? name : nameBytes(name).toString();
}

/** Characters that stand in a path as they are, and no more than one of which may be a dot that means a directory. */
const plain = /^[\w ,+@=~()#%$&'.-]+$/u;
const hasUpperCase = /[A-Z]/u;

/**
 * Whether each name is plain ASCII that stands in a logical path as it is, and no two are the same to a file system that
 * ignores case. `mostBytes`: of the longest.
 */
export function arePlain(list: readonly ListedChild[], mostBytes: number): boolean {
  let folds = false;
  for (const { name } of list) {
    if (name.length > mostBytes || !plain.test(name)) return false;
    folds ||= hasUpperCase.test(name);
  }
  return !folds || new Set(list.map(({ name }) => name.toLowerCase())).size === list.length;
}
