import { throwIfAborted } from "@rea/core";
import { memberKey, type MemberManifest } from "../../integrity/manifest.js";
import { endsLikely, isManifestName, likelyTail, manifestsIn } from "../../integrity/manifests-in.js";
import { openedContent, wholeContent } from "../../integrity/read-content.js";
import { centralMember } from "./central-member.js";
import type { ChosenDirectory, DirectoryPlace } from "./directory-place.js";
import { memberName } from "./names.js";
import { centralRecord, type CentralRecord } from "./records.js";
import { startWalk, type ZipWalk } from "./zip-walk.js";

const recordsATurn = 4096;
const unicodePathId = Buffer.from("up", "latin1");

/** The lists of digests among the members of the directory, read before the members are. */
export async function directoryManifests(walk: ZipWalk, { record, place }: ChosenDirectory & { readonly place: DirectoryPlace }): Promise<readonly MemberManifest[]> {
  const records = await candidates(walk, place.start, record.zip64?.at ?? record.at);
  if (records.size === 0) return [];
  // What is odd about these members is told when their turn comes.
  const quiet = startWalk(walk.source, { ...walk.input, report: { part: ignore, anomaly: ignore, omission: ignore } });
  const base = { bias: place.bias, disk: record.fields.disk };
  return manifestsIn({
    names: [...records.keys()],
    read: async (name) => {
      const central = records.get(name.normalize("NFC"));
      return central === undefined ? undefined : wholeContent(centralMember(quiet, central, base).entry);
    },
    open: async (name) => {
      const central = records.get(name.normalize("NFC"));
      return central === undefined ? undefined : openedContent(centralMember(quiet, central, base).entry, walk.input.limits.maxEntryBytes);
    },
  });
}

const ignore = (): void => undefined;

function likelyName(central: CentralRecord): string | undefined {
  const { name, extra } = central;
  // A field may give another name than the record itself.
  if (!endsLikely(name.toString("latin1", Math.max(0, name.byteLength - likelyTail))) && !extra.includes(unicodePathId)) return undefined;
  const { text } = memberName(central, central.host).name;
  return text === undefined ? undefined : memberKey(text).normalize("NFC");
}

async function candidates(walk: ZipWalk, start: number, limit: number): Promise<Map<string, CentralRecord>> {
  const found = new Map<string, CentralRecord>();
  let count = 0;
  for (let at = start, central = centralRecord(walk.directory, at, limit); central !== undefined; central = centralRecord(walk.directory, at, limit)) {
    const name = likelyName(central);
    // Of equal names the last counts, as for most readers of directories.
    if (name !== undefined && isManifestName(name)) found.set(name, central);
    at = central.end;
    count += 1;
    if (count % recordsATurn !== 0) continue;
    await new Promise<void>((resume) => setImmediate(resume));
    throwIfAborted(walk.input.signal, "zip_directory");
  }
  return found;
}
