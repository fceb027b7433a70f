import { lengthPrefixed, prefixedAt, type ApkScheme } from "./signing-block.js";

/** A signed value with the algorithm it is made with. */
export interface AlgorithmValue {
  readonly id: number;
  readonly value: Buffer;
}

/** One signer of a scheme block. */
export interface ApkSigner {
  /** What is signed. */
  readonly signedData: Buffer;
  readonly digests: readonly AlgorithmValue[];
  readonly certificates: readonly Buffer[];
  readonly attributes: readonly AlgorithmValue[];
  readonly signatures: readonly AlgorithmValue[];
  /** SubjectPublicKeyInfo. */
  readonly publicKey: Buffer;
  /** Platform versions the signer is for, in version 3. */
  readonly sdk: { readonly minimum: number; readonly maximum: number } | undefined;
}

/** The signers of a scheme's value; undefined where it is damaged. */
export function readSigners(scheme: ApkScheme, value: Buffer): readonly ApkSigner[] | undefined {
  const list = prefixedAt(value, 0);
  const signers = list === undefined ? undefined : lengthPrefixed(list)?.map((one) => signerOf(scheme, one));
  return signers?.every((one) => one !== undefined) === true ? signers : undefined;
}

function signerOf(scheme: ApkScheme, bytes: Buffer): ApkSigner | undefined {
  const signedData = prefixedAt(bytes, 0);
  if (signedData === undefined) return undefined;
  const isSecond = scheme === "apk-v2";
  // Version 3 puts two platform versions behind the signed data, and repeats them in it.
  const versionsAt = 4 + signedData.byteLength;
  if (!isSecond && versionsAt + 8 > bytes.byteLength) return undefined;
  const signaturesAt = versionsAt + (isSecond ? 0 : 8);
  const signatures = prefixedAt(bytes, signaturesAt);
  const publicKey = signatures === undefined ? undefined : prefixedAt(bytes, signaturesAt + 4 + signatures.byteLength);
  const signed = signedParts(signedData, isSecond);
  if (signatures === undefined || publicKey === undefined || signed === undefined) return undefined;
  const sdk = isSecond ? undefined : { minimum: bytes.readUInt32LE(versionsAt), maximum: bytes.readUInt32LE(versionsAt + 4) };
  return { signedData, ...signed, signatures: algorithmValues(signatures), publicKey, sdk };
}

function signedParts(bytes: Buffer, isSecond: boolean): Pick<ApkSigner, "digests" | "certificates" | "attributes"> | undefined {
  const digests = prefixedAt(bytes, 0);
  const certificatesAt = 4 + (digests?.byteLength ?? 0);
  const certificates = digests === undefined ? undefined : prefixedAt(bytes, certificatesAt);
  if (digests === undefined || certificates === undefined) return undefined;
  const attributes = prefixedAt(bytes, certificatesAt + 4 + certificates.byteLength + (isSecond ? 0 : 8));
  return {
    digests: algorithmValues(digests),
    certificates: lengthPrefixed(certificates) ?? [],
    attributes: attributes === undefined ? [] : (lengthPrefixed(attributes) ?? []).filter(({ byteLength }) => byteLength >= 4).map((one) => ({ id: one.readUInt32LE(0), value: one.subarray(4) })),
  };
}

function algorithmValues(list: Buffer): readonly AlgorithmValue[] {
  return (lengthPrefixed(list) ?? []).flatMap((one) => {
    const value = one.byteLength < 8 ? undefined : prefixedAt(one, 4);
    return value === undefined ? [] : [{ id: one.readUInt32LE(0), value }];
  });
}
