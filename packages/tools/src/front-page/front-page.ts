import type { Overview } from "../enhanced/overview-result.js";
import { codeCoverageSentence, countsOf } from "./figures.js";
import { groupedImports, type TellingImports } from "./grouped-imports.js";
import type { Inspection } from "./inspection.js";
import { linkageOf, type Linkage } from "./linkage.js";
import { nextCommands, type NextCommand } from "./next-commands.js";
import { sectionRows, type SectionRow } from "./section-rows.js";
import { sentenceOf } from "./sentence.js";

/** What the page is made of: the file as its parser reads it, and what analysis adds, if there was any. */
export interface FrontPageInput {
  readonly inspection: Inspection;
  readonly overview: Overview | null;
}

/** The first page about an executable, as data; a surface lays it out. Texts of the target are already escaped. */
export interface FrontPage {
  /** What it is, in one sentence. */
  readonly sentence: string;
  readonly format: string;
  readonly architecture: string | null;
  readonly available_architectures: readonly string[];
  readonly toolchain: { readonly name: string; readonly version: string | null; readonly language: string | null; readonly basis: readonly string[] } | null;
  readonly linkage: Linkage;
  readonly mitigations: readonly { readonly name: string; readonly state: string; readonly basis: string }[];
  readonly sections: readonly SectionRow[];
  readonly counts: readonly { readonly name: string; readonly value: number | null }[];
  readonly entry_points: readonly { readonly address: string; readonly name: string | null; readonly kind: string }[];
  readonly imports: readonly TellingImports[];
  readonly strings: readonly { readonly address: string; readonly value: string; readonly references: number }[];
  /** `demangled` is what to read; `name` is what commands take. */
  readonly largest_procedures: readonly { readonly address: string; readonly name: string; readonly demangled?: string | undefined; readonly size: number }[];
  readonly most_called_procedures: readonly { readonly address: string; readonly name: string; readonly demangled?: string | undefined; readonly callers: number }[];
  /** How much of the code was examined, or null without analysis. */
  readonly code_coverage: string | null;
  readonly anomalies: readonly string[];
  /** What is not on the page, and why. */
  readonly limitations: readonly string[];
  /** Three commands to go on with. */
  readonly next_commands: readonly NextCommand[];
}

/** Arranges the two results into a page. Pure; nothing is on the page that is in neither. */
export function frontPage({ inspection, overview }: FrontPageInput): FrontPage {
  const linkage = linkageOf(inspection);
  const imports = groupedImports(inspection, overview);
  return {
    sentence: sentenceOf(inspection, linkage),
    format: inspection.format,
    architecture: inspection.architecture,
    available_architectures: inspection.available_architectures,
    toolchain: inspection.build_ids?.toolchain ?? null,
    linkage,
    mitigations: (inspection.mitigations?.items ?? []).filter(({ state }) => state !== "not_applicable" && state !== "unknown"),
    sections: sectionRows(inspection),
    counts: countsOf(inspection, overview),
    entry_points: overview?.entry_points ?? headerEntry(inspection),
    imports,
    strings: overview?.notable_strings ?? [],
    largest_procedures: overview?.largest_procedures ?? [],
    most_called_procedures: overview?.most_called_procedures ?? [],
    code_coverage: codeCoverageSentence(overview),
    anomalies: (inspection.anomalies?.items ?? []).map(({ detail }) => detail),
    limitations: limitationsOf(inspection, overview),
    next_commands: nextCommands({ inspection, overview, imports }),
  };
}

function headerEntry({ header }: Inspection): FrontPage["entry_points"] {
  const entry = header?.entry ?? null;
  return entry === null ? [] : [{ address: entry, name: null, kind: "entry" }];
}

function limitationsOf(inspection: Inspection, overview: Overview | null): string[] {
  const missing = overview === null ? ["The code was not analysed: no provider is bound to this target."] : [];
  return [...new Set([...missing, ...inspection.limitations, ...(overview?.limitations ?? [])])];
}
