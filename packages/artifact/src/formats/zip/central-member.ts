import type { Entry } from "../../format.js";
import { encryptionName } from "./encryption.js";
import { descriptorReading, headerConflicts } from "./header-conflicts.js";
import { absentEntry, memberEntry } from "./member.js";
import { memberName, unicodePathsDiffer, type MemberName } from "./names.js";
import { hasDescriptor, localHeader, type CentralRecord, type LocalHeader } from "./records.js";
import type { ZipWalk } from "./zip-walk.js";

/** A member of the directory and the bytes it takes up. */
export interface CentralMember {
  readonly entry: Entry;
  /** Local header, data and descriptor; undefined when none of it is in the container. */
  readonly extent: { readonly start: number; readonly end: number } | undefined;
  /** Where the data ends by the local header, when that is before its end by the central record. */
  readonly earlyEnd: number | undefined;
}

export interface DirectoryBase {
  readonly bias: number;
  /** Number of the part that this container is. */
  readonly disk: number;
}

/** Reads the member that a central record describes, and reports where its headers contradict each other. */
export function centralMember(walk: ZipWalk, central: CentralRecord, base: DirectoryBase): CentralMember {
  const named = memberName(central, central.host);
  reportNameConflict(walk, central.at, named);
  const found = { fields: central, central, named, flagged: encryptionName(central) !== undefined, location: null, limitations: [] };
  if (central.disk !== base.disk) {
    const why = `The data stands in part ${String(central.disk + 1)} of a split archive, which is not this file.`;
    return { entry: absentEntry(found, { reason: "missing_companion", why }), extent: undefined, earlyEnd: undefined };
  }
  const at = central.localOffset + base.bias;
  const local = localHeader(walk.front, at);
  if (local === undefined) return withoutHeader(walk, central, named);
  for (const conflict of headerConflicts(central, local)) walk.findings.add(conflict, named.name);
  if (unicodePathsDiffer(central, local)) {
    reportNameConflict(walk, local.at, { ...named, conflict: "Central record and local header have different Unicode path fields." });
  }
  const flagged = found.flagged || encryptionName(local) !== undefined;
  return placedMember(walk, { ...found, local, flagged });
}

interface Placed {
  readonly fields: CentralRecord;
  readonly central: CentralRecord;
  readonly local: LocalHeader;
  readonly named: MemberName;
  readonly flagged: boolean;
  readonly limitations: readonly string[];
}

function placedMember(walk: ZipWalk, placed: Placed): CentralMember {
  const { central, local, named } = placed;
  if (!walk.front.holds(local.dataOffset, central.compressedBytes)) {
    const location = { offset: local.at, length: local.dataOffset - local.at };
    const why = "The data reaches past the end of the container.";
    return {
      entry: absentEntry({ ...placed, location }, { reason: "malformed", why }),
      extent: { start: local.at, end: local.dataOffset },
      earlyEnd: undefined,
    };
  }
  const { descriptor, conflict } = descriptorReading(walk.front, central, local);
  if (conflict !== undefined) walk.findings.add(conflict, named.name);
  const dataEnd = local.dataOffset + central.compressedBytes;
  const end = dataEnd + (descriptor?.length ?? 0);
  const location = { offset: local.at, length: end - local.at };
  const localEnd = local.dataOffset + local.compressedBytes;
  return {
    entry: memberEntry(walk, { ...placed, dataOffset: local.dataOffset, open: false, location }),
    extent: { start: local.at, end },
    earlyEnd: localEnd < dataEnd && !(hasDescriptor(local) && local.compressedBytes === 0) ? localEnd : undefined,
  };
}

function withoutHeader(walk: ZipWalk, central: CentralRecord, named: MemberName): CentralMember {
  const detail = "No local header stands where the central record points.";
  walk.findings.add(
    { anomaly: "central_local_mismatch", offset: central.at, detail, effect: "Readers of the directory list a member that no reader can open." },
    named.name,
  );
  const found = { fields: central, central, named, flagged: encryptionName(central) !== undefined, location: null, limitations: [] };
  return { entry: absentEntry(found, { reason: "malformed", why: detail }), extent: undefined, earlyEnd: undefined };
}

export function reportNameConflict(walk: ZipWalk, offset: number, named: MemberName): void {
  if (named.conflict === undefined) return;
  const effect = "Readers that know the field and readers that do not, or that check it, give the member different names.";
  walk.findings.add({ anomaly: "unicode_path_conflict", offset, detail: named.conflict, effect }, named.name);
}
