import { formatAddress, pageOf, type Omission, type OperationParams, type OperationResult } from "@rea/core";
import { goFunctions, type BinaryImage } from "@rea/binary";
import { stringScan } from "../native-settings.js";
import type { NameRecord, StringRecord } from "../program.js";
import { answer, type Answer } from "./answer.js";
import { addressOrCursor, givenAddress } from "./cursor.js";
import { demangledMember } from "./demangled-names.js";
import type { ProgramQuery } from "./query.js";
import { listValue, shownName } from "./shown-text.js";
import { stringOmissions } from "./string-coverage.js";

/** Says which encodings were searched, as every result about strings must. */
export const searchedEncodings = `Strings of at least ${String(stringScan.minimumLength)} characters were searched as ASCII, UTF-8, UTF-16LE and UTF-16BE, in mapped data only; shorter ones are listed where Go or Rust states their length. Constant CFStrings and Objective-C references stand at the address that code uses.`;

export function listNames(query: ProgramQuery, params: OperationParams<"list_names">): Answer<OperationResult<"list_names">> {
  const { program, names, image } = query;
  const all = params.address === undefined ? names.all() : at(query, names.all(), params.address);
  const page = pageOf(all, params, (record) => nameItem(query, record), nameOmissions(image));
  const generated = program.functions.some((fn) => fn.nameSource === "generated");
  return answer(page, {
    limitations: generated ? ["Names that the analysis made up for procedures are not listed; list_procedures has them."] : [],
  });
}

export function listStrings(
  query: ProgramQuery,
  params: OperationParams<"list_strings">,
): Answer<OperationResult<"list_strings">> {
  const { program } = query;
  const all = params.address === undefined ? program.strings : at(query, program.strings, params.address);
  const page = pageOf(all, params, (record) => stringItem(query, record), stringOmissions(program));
  return answer(page, { confidence: "derived", limitations: [searchedEncodings] });
}

export function addressName(
  query: ProgramQuery,
  params: OperationParams<"address_name">,
): Answer<OperationResult<"address_name">> {
  const { va, resolved } = addressOrCursor(query, params.address, "address_name");
  const rva = query.program.toRva(va);
  const name = rva === undefined ? undefined : query.names.at(rva);
  const stated = rva === undefined || query.names.stated(rva) === name;
  return answer(name === undefined ? null : shownName(name), { confidence: stated ? "observed" : "derived", at: va, resolved });
}

function nameItem({ program }: ProgramQuery, record: NameRecord): OperationResult<"list_names">["items"][number] {
  return {
    address: formatAddress(program.toVa(record.rva)),
    ...listValue(record.name),
    symbol: {
      kind: record.kind ?? null,
      binding: record.binding ?? null,
      source: record.source,
      library: record.library === undefined ? null : shownName(record.library),
      ...demangledMember(record.name),
    },
  };
}

function stringItem({ program }: ProgramQuery, record: StringRecord): OperationResult<"list_strings">["items"][number] {
  const { encoding, byteLength, terminated } = record;
  return {
    address: formatAddress(program.toVa(record.rva)),
    ...listValue(record.text()),
    string: { encoding, byte_length: byteLength, terminated },
  };
}

function at<T extends { readonly rva: number }>({ program }: ProgramQuery, all: readonly T[], text: string): readonly T[] {
  const rva = program.toRva(givenAddress(text));
  return rva === undefined ? [] : all.filter((item) => item.rva === rva);
}

/** What the symbol and import tables, and the line table of a Go program, left out. */
export function nameOmissions(image: BinaryImage): readonly Omission[] {
  return [...image.symbols().omissions, ...image.exports().omissions, ...image.imports().omissions, ...goFunctions(image).omissions];
}
