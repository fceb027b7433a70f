import type { Coverage } from "@rea/core";
import { grouped } from "./figures.js";
import type { Style } from "./style.js";

interface Anomalies {
  readonly items: readonly { readonly anomaly: string; readonly offset: number | null; readonly detail: string }[];
  readonly total: number;
}

/** What does not hold in a file that was read, with where. */
export function anomalyLines({ items, total }: Anomalies, style: Style): string[] {
  if (total === 0) return [];
  const lines = items.map(({ anomaly, offset, detail }) => {
    const place = offset === null ? "" : ` at 0x${offset.toString(16)}`;
    return `  ${style.warn(anomaly)}${place}: ${detail}`;
  });
  const more = items.length < total ? [`  … and ${grouped(total - items.length)} more`] : [];
  return ["", style.heading(`anomalies (${grouped(total)})`), ...lines, ...more];
}

/** What the answer leaves out, and how to go on. */
export function leftOutLines({ omissions }: Coverage, style: Style): string[] {
  if (omissions.length === 0) return [];
  const lines = omissions.map(({ scope, count, how_to_continue }) => {
    return `  ${scope}${count === null ? "" : ` (${grouped(count)})`} ${style.dim(how_to_continue ?? "")}`;
  });
  return ["", style.heading("left out"), ...lines];
}
