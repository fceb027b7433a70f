import { z, type Evidence } from "@rea/core";
import { escapeHtml } from "./html.js";
import { code, count, type PageTable } from "./page-parts.js";

const named = z.looseObject({ address: z.string(), name: z.string(), demangled: z.string().optional() });
const overview = z.looseObject({
  procedure_count: z.number().optional(),
  string_count: z.number().optional(),
  name_count: z.number().optional(),
  largest_procedures: z.array(named.extend({ size: z.number() })).optional(),
  most_called_procedures: z.array(named.extend({ callers: z.number() })).optional(),
  notable_strings: z.array(z.looseObject({ address: z.string(), value: z.string() })).optional(),
});

/** What a `binary_overview` record says, as tables; none for a record of another shape. */
export function overviewTables({ normalized_result: result }: Evidence): PageTable[] {
  const parsed = overview.safeParse(result);
  if (!parsed.success) return [];
  const { procedure_count: functions, string_count: strings, name_count: names, largest_procedures: largest = [], most_called_procedures: called = [], notable_strings: notable = [] } = parsed.data;
  const figures = [["Functions", functions], ["Strings", strings], ["Names", names]] as const;
  const nameOf = ({ name, demangled }: z.output<typeof named>): string => escapeHtml(demangled ?? name);
  return [
    { heading: "In figures", columns: ["What", "Count"], rows: figures.flatMap(([what, value]) => (value === undefined ? [] : [[what, count(value)]])) },
    { heading: "Largest functions", columns: ["Address", "Name", "Bytes"], rows: largest.map((fn) => [code(fn.address), nameOf(fn), count(fn.size)]) },
    { heading: "Most called functions", columns: ["Address", "Name", "Callers"], rows: called.map((fn) => [code(fn.address), nameOf(fn), count(fn.callers)]) },
    { heading: "Telling strings", columns: ["Address", "Text"], rows: notable.map(({ address, value }) => [code(address), escapeHtml(value)]) },
  ];
}
