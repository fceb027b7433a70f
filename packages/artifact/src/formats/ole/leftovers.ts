import { setImmediate as turn } from "node:timers/promises";
import { throwIfAborted } from "@rea/core";
import type { ReaderInput } from "../../format.js";
import type { FindingReport } from "../../reading/finding-report.js";
import { sectorMark } from "./ole-header.js";
import { owner, type SectorTable } from "./sector-table.js";

const sectorsATurn = 4096;

interface Where {
  readonly findings: FindingReport;
  readonly input: ReaderInput;
}

/** Sectors that are in use by nobody, and free ones that are not empty. */
export async function reportLeftovers(table: SectorTable, { findings, input }: Where): Promise<void> {
  let start = 0;
  let kind: "lost" | "filled" | undefined;
  for (let sector = 0; sector <= table.count; sector += 1) {
    const found = sector < table.count ? leftover(table, sector) : undefined;
    if (found !== kind) {
      if (kind !== undefined) report(table, { findings, kind, start, end: sector });
      start = sector;
      kind = found;
    }
    if (sector % sectorsATurn === 0) {
      throwIfAborted(input.signal, "ole_sectors");
      await turn();
    }
  }
}

function leftover(table: SectorTable, sector: number): "lost" | "filled" | undefined {
  if (table.owners[sector] !== owner.nobody) return undefined;
  const mark = table.next[sector] ?? sectorMark.free;
  if (mark !== sectorMark.free) return "lost";
  const at = table.offset(sector);
  const bytes = table.source.read(at, Math.min(table.sectorBytes, table.source.size - at));
  return bytes.some((byte) => byte !== 0) ? "filled" : undefined;
}

function report(table: SectorTable, { findings, kind, start, end }: { readonly findings: FindingReport; readonly kind: "lost" | "filled"; readonly start: number; readonly end: number }): void {
  const count = String(end - start);
  const detail = kind === "lost" ? `${count} sectors are marked as used and belong to no stream.` : `${count} sectors are marked as free and are not empty.`;
  findings.add({ anomaly: "gap", offset: table.offset(start), detail, effect: "No reader of the file shows these bytes." });
}
