import type { OperationResult } from "@rea/core";

type Result = OperationResult<"inspect_signature">;
type Found = Pick<Result, "slices" | "pe" | "elf">;
type Signer = NonNullable<Result["pe"]>["signatures"][number]["signers"][number];

/** One word on all signatures together, and a sentence for each thing that does not hold. */
export function signatureVerdict({ slices, pe, elf }: Found): Pick<Result, "verdict" | "problems"> {
  const signed = slices.some((slice) => slice.signed) || pe?.signed === true || elf?.signed === true;
  const problems = [...slices.flatMap(sliceProblems), ...(pe === null ? [] : peProblems(pe)), ...signerProblems("The appended signature", elf?.appended?.signers ?? [])];
  if (problems.length > 0) return { verdict: "broken", problems };
  if (!signed) return { verdict: "unsigned", problems };
  return { verdict: wasChecked({ slices, pe, elf }) ? "holds" : "not_verified", problems };
}

/** True when at least one digest of what is signed was recomputed everywhere. */
function wasChecked({ slices, pe, elf }: Found): boolean {
  const pages = slices.filter(({ signed }) => signed).every(({ code_directories }) => code_directories.some(({ pages: { checked } }) => checked > 0));
  const images = (pe?.signatures ?? []).every(({ image_digest }) => image_digest.verdict === "holds");
  const appended = (elf?.appended?.signers ?? []).every(({ signature, content_digest }) => signature.verdict === "holds" || content_digest.verdict === "holds");
  return pages && images && appended;
}

function sliceProblems({ architecture, code_directories, cms, anomalies }: Result["slices"][number]): string[] {
  const where = `${architecture ?? "image"}:`;
  const directories = code_directories.flatMap(({ slot, hash_type, pages, special }) => [
    ...(pages.mismatched_total === 0 ? [] : [`${where} ${String(pages.mismatched_total)} of ${String(pages.checked)} pages do not have the ${hash_type} hash declared in slot ${String(slot)}.`]),
    ...special.filter(({ verdict }) => verdict === "broken" || verdict === "missing").map(({ name, verdict }) => `${where} the sealed ${name} ${verdict === "missing" ? "is missing" : "was changed"}.`),
  ]);
  const alternate = cms?.alternate_directories === "broken" ? [`${where} a code directory is not the one that was signed.`] : [];
  const loose = anomalies.filter(({ kind }) => kind !== "bytes_behind_signature").map(({ detail }) => `${where} ${detail}`);
  return [...directories, ...alternate, ...signerProblems(where, cms?.signers ?? []), ...loose];
}

function peProblems({ checksum, signatures, anomalies, signed }: NonNullable<Result["pe"]>): string[] {
  const found = signatures.flatMap(({ image_digest, page_hashes, signers, nested }) => {
    const which = nested ? "The nested signature" : "The signature";
    return [
      ...(image_digest.verdict === "broken" ? [`${which} declares another ${image_digest.algorithm ?? ""} digest of the image than it has.`] : []),
      ...(page_hashes !== null && page_hashes.mismatched_total > 0 ? [`${which} declares other hashes for ${String(page_hashes.mismatched_total)} of ${String(page_hashes.checked)} pages.`] : []),
      ...signerProblems(which, signers),
    ];
  });
  const sum = checksum.verdict === "broken" && signed ? [`The header's checksum is ${checksum.declared}, that of the file ${checksum.calculated}.`] : [];
  return [...found, ...sum, ...anomalies.map(({ detail }) => detail)];
}

function signerProblems(which: string, signers: readonly Signer[]): string[] {
  return signers.flatMap(({ content_digest, signature }) => [
    ...(content_digest.verdict === "broken" ? [`${which} declares another digest of what it signs.`] : []),
    ...(signature.verdict === "broken" ? [`${which} was not made with the key of its certificate.`] : []),
  ]);
}
