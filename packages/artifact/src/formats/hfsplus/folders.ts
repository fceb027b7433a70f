import { brokenData } from "../../codecs/broken-data.js";
import type { EntryName } from "../../format.js";
import { rootFolderId } from "./catalog.js";

/** Paths with more segments are of no use. */
const deepest = 1024;
/** What is kept of a volume in memory at most, folders and inodes each. */
export const mostKept = 1_000_000;

interface Folder {
  readonly parentId: number;
  readonly name: string;
}

/** Where what is named lies: below the root, or nowhere. */
export type Path = { readonly segments: readonly string[] } | "loop" | "orphan";

/** Folders by id, from which paths follow: the catalog names only the parent of each item. */
export class Folders {
  readonly #folders = new Map<number, Folder>();

  get count(): number {
    return this.#folders.size;
  }

  /** Throws when there are more folders than are kept. */
  add(id: number, folder: Folder): void {
    if (this.#folders.size >= mostKept) throw brokenData(`The volume has more than ${String(mostKept)} folders.`);
    this.#folders.set(id, folder);
  }

  pathOf(parentId: number, name: string): Path {
    const segments = [name];
    for (let id = parentId; id !== rootFolderId; ) {
      const folder = this.#folders.get(id);
      if (folder === undefined) return "orphan";
      segments.push(folder.name);
      if (segments.length > deepest) return "loop";
      id = folder.parentId;
    }
    return { segments: segments.reverse() };
  }
}

/** The name under which systems show a path: a slash inside a name is shown as a colon there. */
export function shownPath(segments: readonly string[]): EntryName {
  const text = segments.map((segment) => segment.replaceAll("/", ":")).join("/");
  return { bytes: Buffer.from(text), text: isWellFormed(text) ? text : undefined };
}

function isWellFormed(text: string): boolean {
  return !/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/.test(text);
}
