import { formatAddress, pageOf, type OperationParams, type OperationResult } from "@rea/core";
import { searchTexts } from "../search/search-texts.js";
import { compileMatcher } from "../search/text-matcher.js";
import { answer, type Answer } from "./answer.js";
import { codeOmissions, functionConfidence } from "./code-coverage.js";
import { demangledMember } from "./demangled-names.js";
import { searchedEncodings } from "./names-and-strings.js";
import type { ProgramQuery } from "./query.js";
import { searchValue } from "./shown-text.js";
import { stringOmissions } from "./string-coverage.js";

type Search = OperationParams<"search_procedures">;

/** Procedures one of whose names matches: the shown name, another symbol at the entry, or the demangled form of one. */
export function searchProcedures(query: ProgramQuery, params: Search): Answer<OperationResult<"search_procedures">> {
  const { program, names } = query;
  const matches = compileMatcher(params, "search_procedures");
  const texts = (index: number): readonly string[] => {
    const fn = program.functions[index];
    return fn === undefined ? [] : names.searchable(fn);
  };
  const hits = query.searches.get(keyOf("procedures", query, params), () =>
    searchTexts({
      count: program.functions.length,
      textsAt: texts,
      matches,
      checkpoint: query.checkpoint,
      what: "procedure names",
    }),
  );
  const found = hits.indices.flatMap((index) => program.functions[index] ?? []);
  const page = pageOf(found, params, (fn) => fn, [...codeOmissions(program), ...hits.omissions]);
  const items = page.items.map((fn) => {
    const name = names.aliases(fn).find((alias) => matches(alias)) ?? names.ofFunction(fn).name;
    return { address: formatAddress(program.toVa(fn.entry)), ...searchValue(name), ...demangledMember(name) };
  });
  return answer(
    { ...page, items },
    { confidence: functionConfidence(page.items), limitations: program.coverage.limitations },
  );
}

export function searchStrings(query: ProgramQuery, params: Search): Answer<OperationResult<"search_strings">> {
  const { program } = query;
  const matches = compileMatcher(params, "search_strings");
  const hits = query.searches.get(keyOf("strings", query, params), () =>
    searchTexts({
      count: program.strings.length,
      textsAt: (index) => [program.strings[index]?.text() ?? ""],
      matches,
      checkpoint: query.checkpoint,
      what: "strings",
    }),
  );
  const found = hits.indices.flatMap((index) => program.strings[index] ?? []);
  const show = (record: (typeof found)[number]) => ({
    address: formatAddress(program.toVa(record.rva)),
    ...searchValue(record.text()),
  });
  const page = pageOf(found, params, show, [...stringOmissions(program), ...hits.omissions]);
  return answer(page, { confidence: "derived", limitations: [searchedEncodings] });
}

function keyOf(what: string, { annotations }: ProgramQuery, { mode, case_sensitive, pattern }: Search): string {
  return JSON.stringify([what, annotations.version, mode, case_sensitive, pattern]);
}
