import { unrepeatedReasons, type Rederivation } from "@rea/runtime";
import { grouped } from "./figures.js";
import type { Style } from "./style.js";

type Rederived = Rederivation["records"][number];

const words = { confirmed: "confirmed", contradicted: "contradicted", not_rederivable: "not re-derivable" } as const;
const width = Math.max(...Object.values(words).map(({ length }) => length));

/** What making the records of a bundle again has shown: contradictions first, each with its place, then what was not made again and why. */
export function rederivationText({ summary, records, limitations }: Rederivation, style: Style): string {
  const order = ["contradicted", "not_rederivable", "confirmed"] as const;
  const lines = [
    style.heading(`${grouped(summary.confirmed)} confirmed, ${grouped(summary.contradicted)} contradicted, ${grouped(summary.not_rederivable)} not re-derivable`),
    "",
    ...order.flatMap((verdict) => records.filter((record) => record.verdict === verdict).flatMap((record) => recordLines(record, style))),
    "",
    ...limitations.map((text) => style.dim(text)),
  ];
  return lines.map((line) => `${line.trimEnd()}\n`).join("");
}

function recordLines({ verdict, operation, evidence_id: id, reason, place, error_code: code }: Rederived, style: Style): string[] {
  const mark = verdict === "confirmed" ? style.good : verdict === "contradicted" ? style.bad : style.warn;
  const why = reason === null ? [] : [`${unrepeatedReasons[reason]}${code === null ? "" : ` (${code})`}`];
  const where = place === null ? [] : [`the first difference is at ${place}`];
  return [`${mark(words[verdict].padEnd(width))}  ${operation}  ${style.dim(id)}`, ...[...where, ...why].map((text) => style.dim(`${" ".repeat(width)}    ${text}`))];
}
