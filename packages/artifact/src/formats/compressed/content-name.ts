import type { EntryName } from "../../format.js";
import { utf8Name } from "../../reading/entry-name.js";

/** Suffixes that stand for a compressed tar archive. */
const tarSuffix = /\.(?:tgz|taz|tbz|tbz2|tb2|tz2|txz|tlz|tzst|tzstd)$/iu;

/**
 * What a compressor's only member is called when its header does not say: the container's name without `suffixes` (no
 * dots), `.tgz` and its like becoming `.tar`; "content" when nothing would be left.
 */
export function contentName(containerName: string, suffixes: readonly string[]): EntryName {
  const tar = containerName.replace(tarSuffix, ".tar");
  if (tar !== containerName && tar !== ".tar") return utf8Name(Buffer.from(tar));
  const dot = containerName.lastIndexOf(".");
  const suffix = containerName.slice(dot + 1).toLowerCase();
  const name = dot > 0 && suffixes.includes(suffix) ? containerName.slice(0, dot) : containerName;
  return utf8Name(Buffer.from(name === "" ? "content" : name));
}
