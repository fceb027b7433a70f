/** Files that this session wrote for its caller, by path and content: only these are read again because a record names them. */
export interface SessionFiles {
  add(path: string, sha256: string): void;
  remove(path: string): void;
  wrote(path: string, sha256: string): boolean;
}

export function createSessionFiles(): SessionFiles {
  const digests = new Map<string, string>();
  return {
    add: (path, sha256) => void digests.set(path, sha256),
    remove: (path) => void digests.delete(path),
    wrote: (path, sha256) => digests.get(path) === sha256,
  };
}
