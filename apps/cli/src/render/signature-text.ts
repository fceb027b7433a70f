import type { OperationResult } from "@rea/core";
import { grouped } from "./figures.js";
import type { Style } from "./style.js";

type Signature = OperationResult<"inspect_signature">;
type Slice = Signature["slices"][number];
type Directory = Slice["code_directories"][number];
type Authenticode = NonNullable<Signature["pe"]>["signatures"][number];
type SignedData = Pick<Authenticode, "certificates" | "signers">;
type Pages = Directory["pages"];

const shownPages = 8;

/** What is signed, whether it holds, and what does not; certificates with their names, never with trust. */
export function signatureText(found: Signature, style: Style): string {
  const appended = found.elf?.appended ?? null;
  const lines = [
    `${found.format}: ${verdict(found.verdict, style)}  ${style.dim("trust not evaluated")}`,
    ...found.problems.map((problem) => `  ${style.bad("✗")} ${problem}`),
    ...found.slices.flatMap((slice) => sliceLines(slice, style)),
    ...(found.pe === null ? [] : peLines(found.pe, style)),
    ...(appended === null ? [] : appendedLines(appended, style)),
    ...found.electron_fuses.flatMap((wire) => fuseLines(wire, style)),
    ...found.coverage.omissions.map(({ scope, reason }) => style.dim(`not read: ${scope} (${reason})`)),
    "",
    ...found.limitations.map((sentence) => style.dim(sentence)),
  ];
  return lines.map((line) => `${line.trimEnd()}\n`).join("");
}

const words: { readonly [V in Signature["verdict"]]: string } = {
  unsigned: "not signed",
  holds: "every recomputed digest and signature holds",
  broken: "BROKEN",
  not_verified: "signed, and could not be verified",
};

function verdict(of: Signature["verdict"], style: Style): string {
  if (of === "broken") return style.bad(words.broken);
  return of === "holds" ? style.good(words.holds) : style.warn(words[of]);
}

function mark(of: string, style: Style): string {
  if (of === "holds") return style.good("holds");
  return of === "broken" || of === "missing" ? style.bad(of.toUpperCase()) : style.warn(of.replaceAll("_", " "));
}

function sliceLines(slice: Slice, style: Style): string[] {
  const kind = slice.signed ? [slice.ad_hoc ? "ad hoc" : "", slice.linker_signed ? "by the linker" : ""].filter((word) => word !== "").join(", ") : "no signature";
  return [
    "",
    `${style.heading(slice.architecture ?? "image")}  ${kind}`,
    ...slice.code_directories.flatMap((directory) => directoryLines(directory, style)),
    ...(slice.entitlements === null ? [] : [`  entitlements  ${grouped(slice.entitlements.size)} bytes`, ...slice.entitlements.text.split("\n").map((line) => style.dim(`    ${line}`))]),
    ...(slice.notarization_ticket === null ? [] : ["  notarisation ticket present, not verified"]),
    ...(slice.cms === null ? [] : signedLines(slice.cms, style)),
    ...slice.anomalies.map(({ kind: what, detail }) => `  ${style.warn(what)} ${detail}`),
  ];
}

function directoryLines(directory: Directory, style: Style): string[] {
  const { identifier, team, flags, hash_type, cdhash, pages, special } = directory;
  return [
    `  identifier    ${identifier ?? "none"}${team === null ? "" : `  team ${team}`}${flags.length === 0 ? "" : `  flags ${flags.join(" ")}`}`,
    `  code hash     ${cdhash ?? "unknown"}  ${style.dim(hash_type)}`,
    ...pageLines(pages, style),
    ...special.map((slot) => `  ${slot.name.padEnd(13)} ${mark(slot.verdict, style)}`),
  ];
}

function pageLines(pages: Pages, style: Style): string[] {
  const state = pages.mismatched_total > 0 ? style.bad(`${grouped(pages.mismatched_total)} of ${grouped(pages.checked)} CHANGED`) : style.good(`${grouped(pages.matched)} hold`);
  const changed = pages.mismatched.slice(0, shownPages).map(({ page, file_offset, size }) => `    page ${grouped(page)} at 0x${file_offset.toString(16)}, ${grouped(size)} bytes`);
  return [`  pages         ${pages.not_checked === null ? state : style.warn(pages.not_checked)}`, ...changed, ...(pages.mismatched_total > shownPages ? ["    …"] : [])];
}

function peLines(pe: NonNullable<Signature["pe"]>, style: Style): string[] {
  const { checksum, certificate_table, signatures, anomalies } = pe;
  const sum = checksum.verdict === "not_set" ? style.dim("not set") : `${checksum.declared} ${mark(checksum.verdict, style)}${checksum.verdict === "broken" ? ` (is ${checksum.calculated})` : ""}`;
  return [
    "",
    `checksum        ${sum}`,
    ...(certificate_table === null ? [] : [`certificates    ${grouped(certificate_table.size)} bytes at 0x${certificate_table.file_offset.toString(16)}`]),
    ...signatures.flatMap((signature) => authenticodeLines(signature, style)),
    ...anomalies.map(({ kind, detail }) => `${style.warn(kind)} ${detail}`),
  ];
}

function authenticodeLines(signature: Authenticode, style: Style): string[] {
  const { nested, image_digest, page_hashes, program_name, program_url } = signature;
  const program = [program_name, program_url].filter((text) => text !== null).join("  ");
  return [
    style.heading(nested ? "nested signature" : "signature"),
    ...(program === "" ? [] : [`  program       ${program}`]),
    `  image digest  ${image_digest.algorithm ?? ""} ${mark(image_digest.verdict, style)}  ${style.dim(image_digest.declared)}`,
    ...(image_digest.verdict === "broken" ? [`    is          ${image_digest.calculated ?? ""}`] : []),
    ...(page_hashes === null ? [] : pageLines(page_hashes, style)),
    ...signedLines(signature, style),
  ];
}

function signedLines({ signers, certificates }: SignedData, style: Style): string[] {
  return [
    ...signers.flatMap(({ subject, signature_algorithm, signing_time, timestamps, content_digest, signature }) => [
      `  signer        ${subject ?? "without a certificate"}`,
      `    signature   ${mark(signature.verdict, style)}  ${style.dim([signature_algorithm, signature.reason].filter((text) => text !== null).join("  "))}`,
      ...(content_digest.declared === null ? [] : [`    content     ${mark(content_digest.verdict, style)}`]),
      ...[signing_time === null ? "" : `    says signed ${signing_time}`].filter((line) => line !== ""),
      ...timestamps.map(({ kind, time }) => `    timestamp   ${time ?? "unreadable"}  ${style.dim(`${kind}, not verified`)}`),
    ]),
    ...certificates.map(({ subject, not_after, self_issued, sha256 }) => {
      const until = not_after === null ? "" : ` until ${not_after.slice(0, 10)}`;
      return `  certificate   ${subject ?? "unreadable"}${style.dim(`${until}${self_issued ? ", self-issued" : ""}, sha256 ${sha256.slice(0, 16)}…`)}`;
    }),
  ];
}

function appendedLines(appended: NonNullable<NonNullable<Signature["elf"]>["appended"]>, style: Style): string[] {
  return ["", `${style.heading("kernel module signature")}  ${appended.id_type}, ${grouped(appended.size)} bytes at 0x${appended.file_offset.toString(16)}`, ...signedLines(appended, style)];
}

function fuseLines({ version, file_offset, fuses }: Signature["electron_fuses"][number], style: Style): string[] {
  return ["", `${style.heading("Electron fuses")}  version ${String(version)} at 0x${file_offset.toString(16)}`, ...fuses.map(({ name, state }) => `  ${name.padEnd(42)} ${state === "enabled" ? style.good(state) : state}`)];
}
