import type { DeclaredCheck, Entry, EntryContent, Unavailable } from "../../format.js";
import { attributesOf, type Attributes } from "./attributes.js";
import { encryptionName, liesPlain } from "./encryption.js";
import { linkTargetOf } from "./link-target.js";
import { memberContent } from "./member-content.js";
import { methodName } from "./methods.js";
import type { MemberName } from "./names.js";
import type { CentralRecord, MemberFields } from "./records.js";
import { flagBits } from "./signatures.js";
import type { ZipWalk } from "./zip-walk.js";

/** A member whose headers are read: what remains is to open its data. */
export interface FoundMember {
  /** The header that is believed: the central record, or the local header where there is no other. */
  readonly fields: MemberFields;
  readonly central: CentralRecord | undefined;
  readonly named: MemberName;
  /** One of the headers says that the data is encrypted. */
  readonly flagged: boolean;
  readonly dataOffset: number;
  /** The sizes are not known: data of at most `fields.compressedBytes` ends by itself. */
  readonly open: boolean;
  readonly location: Entry["location"];
  readonly limitations: readonly string[];
}

/** The entry of a member whose data lies inside the container. */
export function memberEntry(walk: ZipWalk, member: FoundMember): Entry {
  const attributes = attributesOf(member.fields, member.central);
  const encryption = encryptionOf(walk, member);
  const opened = contentOf(walk, member, { attributes, encryption });
  return {
    name: member.named.name,
    kind: attributes.kind,
    declaredBytes: member.open ? null : sizeOrNull(member.fields.bytes),
    compressedBytes: member.open ? null : sizeOrNull(member.fields.compressedBytes),
    location: member.location,
    encrypted: encryption !== undefined,
    linkTarget: attributes.linkTarget ?? opened.linkTarget,
    executable: attributes.executable,
    checks: member.open ? [] : checksOf(member.fields),
    limitations: limitationsOf(member, attributes, encryption),
    content: opened.content,
  };
}

/** The entry of a member that has no data here. */
export function absentEntry(member: Omit<FoundMember, "dataOffset" | "open">, content: Unavailable): Entry {
  const attributes = attributesOf(member.fields, member.central);
  const encryption = member.flagged ? encryptionName(member.fields) : undefined;
  return {
    name: member.named.name,
    kind: attributes.kind,
    declaredBytes: sizeOrNull(member.fields.bytes),
    compressedBytes: sizeOrNull(member.fields.compressedBytes),
    location: member.location,
    encrypted: encryption !== undefined,
    linkTarget: attributes.linkTarget ?? null,
    executable: attributes.executable,
    checks: [],
    limitations: limitationsOf(member, attributes, encryption),
    content: attributes.kind === "directory" ? null : content,
  };
}

function sizeOrNull(bytes: number): number | null {
  return Number.isSafeInteger(bytes) ? bytes : null;
}

function checksOf(fields: MemberFields): readonly DeclaredCheck[] {
  return [
    { kind: "size", bytes: fields.bytes },
    { kind: "crc32", value: fields.crc32 },
  ];
}

function limitationsOf(member: Pick<FoundMember, "named" | "limitations">, attributes: Attributes, encryption: string | undefined): readonly string[] {
  const sentences = [member.named.limitation, attributes.limitation, encryption === undefined ? undefined : `Encrypted with ${encryption}.`];
  return [...member.limitations, ...sentences.filter((sentence) => sentence !== undefined)];
}

/** The name of the encryption; undefined for plain data, also when a header claims otherwise (which is reported). */
function encryptionOf(walk: ZipWalk, member: FoundMember): string | undefined {
  const { fields } = member;
  const strongAlone = (fields.flags & (flagBits.strong | flagBits.encrypted)) === flagBits.strong;
  if (!member.flagged && !strongAlone) return undefined;
  const masked = (fields.flags & flagBits.masked) !== 0;
  if (member.flagged && (masked || !liesPlain(fields, { window: walk.front, dataOffset: member.dataOffset, allowance: walk.allowance }))) {
    return encryptionName(fields) ?? "what only one of its headers declares";
  }
  walk.findings.add(
    {
      anomaly: "fake_encryption_flag",
      offset: member.location?.offset ?? null,
      detail: strongAlone
        ? "The strong encryption bit is set without the encryption bit."
        : "The encryption bit is set, and the data lies there in plain.",
      effect: "Readers that believe the flag ask for a password or skip the member; others read it.",
    },
    member.named.name,
  );
  return undefined;
}

interface OpenedContent {
  readonly content: EntryContent | Unavailable | null;
  readonly linkTarget: Uint8Array | null;
}

interface Reading {
  readonly attributes: Attributes;
  readonly encryption: string | undefined;
}

function contentOf(walk: ZipWalk, member: FoundMember, { attributes, encryption }: Reading): OpenedContent {
  const { fields } = member;
  if (attributes.kind === "directory") return directoryContent(walk, member);
  if (attributes.kind === "special" || attributes.linkTarget !== undefined) return { content: null, linkTarget: null };
  if (encryption !== undefined) return { content: { reason: "encrypted", why: `The member is encrypted with ${encryption}.` }, linkTarget: null };
  if (methodName(fields.method) === undefined) reportUnknownMethod(walk, member);
  return attributes.kind === "symlink" && !member.open ? linkContent(walk, member) : { content: dataContent(walk, member), linkTarget: null };
}

function dataContent(walk: ZipWalk, member: FoundMember): EntryContent | Unavailable {
  const { fields } = member;
  const data = {
    source: walk.source,
    window: walk.front,
    dataOffset: member.dataOffset,
    compressedBytes: fields.compressedBytes,
    open: member.open,
    bytes: member.open ? null : fields.bytes,
    method: fields.method,
    flags: fields.flags,
  };
  return memberContent(data, walk.input, (usedBytes) => {
    const detail = `The compressed data ends after ${String(usedBytes)} of ${String(fields.compressedBytes)} declared bytes.`;
    const effect = "The bytes behind it belong to no content, and readers that count on the data's end look for the next member there.";
    walk.findings.add({ anomaly: "header_size_mismatch", offset: member.dataOffset + usedBytes, detail, effect }, member.named.name);
  });
}

/** What a deflated or encrypted nothing may take. */
const emptyDataBytes = 16;

function directoryContent(walk: ZipWalk, member: FoundMember): OpenedContent {
  if (member.fields.compressedBytes > emptyDataBytes && !member.open) {
    const detail = `The member is a directory of no content with ${String(member.fields.compressedBytes)} bytes of data.`;
    walk.findings.add({ anomaly: "size_mismatch", offset: member.dataOffset, detail, effect: "The data is reached by no reader of directories." }, member.named.name);
  }
  return { content: null, linkTarget: null };
}

function linkContent(walk: ZipWalk, member: FoundMember): OpenedContent {
  const { target, content, intact } = linkTargetOf(walk, member.fields, member.dataOffset);
  if (!intact) {
    const detail = "The CRC-32 of the link's target is not the declared one.";
    walk.findings.add({ anomaly: "crc_mismatch", offset: member.dataOffset, detail, effect: "The link was changed after it was packed, or is damaged." }, member.named.name);
  }
  return { content, linkTarget: target };
}

function reportUnknownMethod(walk: ZipWalk, member: FoundMember): void {
  const detail = `Compression method ${String(member.fields.method)} is given by no document.`;
  walk.findings.add(
    { anomaly: "unknown_method", offset: member.location?.offset ?? null, detail, effect: "No reader can decode the data by what the header says." },
    member.named.name,
  );
}
