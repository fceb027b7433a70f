import { readCertificate, type Certificate } from "./certificates.js";
import { derChild, derChildren, derTime, integerHex, octetsOf, oidOf, readDer, tags, type DerNode } from "./der.js";
import { hashOfOid, oids, schemeOfOid, type HashName, type SignatureScheme } from "./object-identifiers.js";

/** Attributes of a signer by object identifier; values as they are encoded. */
export type Attributes = ReadonlyMap<string, readonly DerNode[]>;

export interface CmsSigner {
  readonly certificate: Certificate | undefined;
  /** Undefined for algorithms that are not known. */
  readonly hash: HashName | undefined;
  readonly scheme: SignatureScheme | undefined;
  readonly schemeParameters: DerNode | undefined;
  /** The signed attributes as they are signed: a DER set. */
  readonly signedBytes: Uint8Array | undefined;
  readonly signed: Attributes;
  readonly unsigned: Attributes;
  readonly signature: Uint8Array;
}

/** A CMS SignedData (RFC 5652), or its forerunner of PKCS #7 that Authenticode uses. */
export interface Cms {
  readonly contentType: string;
  /** The encapsulated content; undefined when the signature is detached. */
  readonly content: DerNode | undefined;
  readonly certificates: readonly Certificate[];
  readonly signers: readonly CmsSigner[];
}

const mostCertificates = 64;
const mostSigners = 16;

/** The bytes that the message digest of a signer covers. */
export function contentBytes({ content }: Cms): Uint8Array | undefined {
  if (content === undefined) return undefined;
  // The forerunner of CMS encapsulates any type, and leaves out its tag and length.
  return (content.tag & ~0x20) === tags.octetString ? octetsOf(content) : content.content;
}

/** Reads a ContentInfo of signed data. Throws `artifact_operation_failed` (reason `format`) for anything else. */
export function readCms(bytes: Uint8Array): Cms {
  const info = derChildren(derChild([readDer(bytes)], 0, tags.sequence));
  if (oidOf(derChild(info, 0, tags.oid)) !== oids.signedData) derChild([], 0, tags.sequence);
  const [signed] = derChildren(derChild(info, 1, 0xa0));
  const parts = derChildren(derChild(signed === undefined ? [] : [signed], 0, tags.sequence));
  const encapsulated = derChildren(derChild(parts, 2, tags.sequence));
  const content = encapsulated[1]?.tag === 0xa0 ? derChildren(encapsulated[1])[0] : undefined;
  const certificateSet = parts.find(({ tag }) => tag === 0xa0);
  const certificates = certificateSet === undefined ? [] : certificatesIn(certificateSet);
  const signers = derChild(parts.slice(3).filter(({ tag }) => tag === tags.set).slice(-1), 0, tags.set);
  return {
    contentType: oidOf(derChild(encapsulated, 0, tags.oid)),
    content,
    certificates,
    signers: derChildren(signers).slice(0, mostSigners).map((signer) => signerOf(signer, certificates)),
  };
}

function certificatesIn(set: DerNode): readonly Certificate[] {
  return derChildren(set)
    .filter(({ tag }) => tag === tags.sequence)
    .slice(0, mostCertificates)
    .map(({ whole }) => readCertificate(whole));
}

function signerOf(node: DerNode, certificates: readonly Certificate[]): CmsSigner {
  const parts = derChildren(node);
  const [, identifier] = parts;
  let at = 2;
  const digest = derChildren(derChild(parts, at, tags.sequence));
  at += 1;
  const attributes = parts[at]?.tag === 0xa0 ? parts[at] : undefined;
  if (attributes !== undefined) at += 1;
  const scheme = derChildren(derChild(parts, at, tags.sequence));
  const signature = parts[at + 1];
  const unsigned = parts[at + 2];
  return {
    certificate: identifier === undefined ? undefined : certificates.find(({ der }) => isNamed(der, identifier)),
    hash: hashOfOid(oidOf(derChild(digest, 0, tags.oid))),
    scheme: schemeOfOid(oidOf(derChild(scheme, 0, tags.oid))),
    schemeParameters: scheme[1],
    signedBytes: attributes === undefined ? undefined : asSet(attributes),
    signed: attributes === undefined ? new Map() : attributesIn(attributes),
    unsigned: unsigned?.tag === 0xa1 ? attributesIn(unsigned) : new Map(),
    signature: signature === undefined ? new Uint8Array(0) : octetsOf(signature),
  };
}

/** RFC 5652 §5.4: the attributes are signed with the tag of a set, not the one they carry. */
function asSet({ whole }: DerNode): Uint8Array {
  const bytes = Buffer.from(whole);
  bytes[0] = tags.set;
  return bytes;
}

function attributesIn(set: DerNode): Attributes {
  const found = new Map<string, readonly DerNode[]>();
  for (const attribute of derChildren(set)) {
    const [type, values] = derChildren(attribute);
    if (type === undefined || values === undefined) continue;
    const oid = oidOf(type);
    found.set(oid, [...(found.get(oid) ?? []), ...derChildren(values)]);
  }
  return found;
}

/** True when issuer and serial number, or the key identifier, are the certificate's. */
function isNamed(der: Uint8Array, identifier: DerNode): boolean {
  try {
    const body = derChildren(derChild(derChildren(readDer(der)), 0, tags.sequence));
    const start = body[0]?.tag === 0xa0 ? 1 : 0;
    if (identifier.tag !== tags.sequence) return Buffer.from(der).includes(Buffer.from(octetsOf(identifier)));
    const [issuer, serial] = derChildren(identifier);
    const own = body[start];
    return issuer !== undefined && serial !== undefined && own !== undefined && integerHex(serial) === integerHex(own) && same(issuer.whole, body[start + 2]?.whole);
  } catch {
    // A damaged certificate is nobody's.
    return false;
  }
}

function same(left: Uint8Array, right: Uint8Array | undefined): boolean {
  return right !== undefined && Buffer.compare(left, right) === 0;
}

/** When the signer says it signed; ISO 8601. */
export function signingTime({ signed }: CmsSigner): string | undefined {
  const value = signed.get(oids.signingTime)?.[0];
  return value === undefined ? undefined : derTime(value);
}

export interface Timestamp {
  readonly kind: "rfc3161" | "counter-signature";
  /** ISO 8601, as the token says. */
  readonly time: string | null;
}

/** Timestamps beside a signature. They are read, not verified. */
export function timestampsOf({ unsigned }: CmsSigner): readonly Timestamp[] {
  const tokens = [...(unsigned.get(oids.microsoftTimestamp) ?? []), ...(unsigned.get(oids.rfc3161Token) ?? [])];
  const counters = unsigned.get(oids.counterSignature) ?? [];
  return [
    ...tokens.map((token): Timestamp => ({ kind: "rfc3161", time: attempt(() => tokenTime(token)) ?? null })),
    ...counters.map((counter): Timestamp => ({ kind: "counter-signature", time: attempt(() => signingTime(signerOf(counter, []))) ?? null })),
  ];
}

// RFC 3161: TSTInfo is version, policy, imprint, serial number, time.
function tokenTime(token: DerNode): string | undefined {
  const { content } = readCms(token.whole);
  if (content === undefined) return undefined;
  const time = derChildren(readDer(octetsOf(content)))[4];
  return time === undefined ? undefined : derTime(time);
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
