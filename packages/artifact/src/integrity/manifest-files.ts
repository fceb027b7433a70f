import type { OpenedSource } from "../format.js";

/** Members of a container that may be lists, or stand beside one. */
export interface ManifestFiles {
  /** Names of the members that `isManifestName` takes, or of what is known to be there. */
  readonly names: readonly string[];
  /** Content of a member; undefined when there is none, it cannot be read or is too large. */
  read(name: string): Promise<Uint8Array | undefined>;
  /** A member of any size for random access; undefined where that cannot be had. The caller closes it. */
  open?(name: string): Promise<OpenedSource | undefined>;
}
