import type { Program, StringRecord } from "../program.js";

export interface NotableString {
  readonly record: StringRecord;
  readonly text: string;
  readonly references: number;
}

interface Ranked extends NotableString {
  readonly score: number;
  readonly kind: number;
}

/** Longer texts are documents (embedded scripts, licences, help): they say little in one line. */
const longText = 300;
const longTextScore = 8;
const checkEvery = 1024;

// What tells an investigator most, first; a string takes the highest score that applies.
const telling: readonly { readonly score: number; readonly pattern: RegExp }[] = [
  { score: 60, pattern: /\b(?:https?|ftp|wss?|file|tcp|udp):\/\/[^\s]{3,}/i },
  { score: 50, pattern: /^[^\s@]{1,64}@[a-z0-9-]{1,63}\.[a-z]{2,10}$/i },
  { score: 45, pattern: /[\w-] .*\b(?:password|secret|token|licen[cs]e)\b|\b(?:password|passwd|secret|token|api[_-]?key)\b ?[=:]|BEGIN [A-Z ]{2,30} KEY/i },
  { score: 40, pattern: /^(?:\/[\w.+-]{2,64}){2,}\/?$|^[A-Za-z]:\\[\w .\\-]{3,}$|^(?:HKEY_|SOFTWARE\\)/ },
  { score: 35, pattern: /\b(?:version|copyright|\(C\))\b.{0,40}\d|^[\w.-]{1,32}[ /-]v?\d{1,4}\.\d{1,6}(?:\.\d{1,6})?/i },
  { score: 30, pattern: /^usage:|\b(?:error|failed|cannot|invalid|unable|denied|unexpected|missing|usage)\b/i },
  { score: 25, pattern: /%(?:[-+ #0]*\d*(?:\.\d+)?(?:hh|h|ll|l|z)?[sdiuxXpfgc])[^%]*[A-Za-z ]{3}|[A-Za-z ]{3}[^%]*%[-+ #0]*\d*[sduxXp]/ },
  { score: 20, pattern: /^[A-Z][a-z]+(?: [A-Za-z'(),.-]+){2,}/ },
  { score: 10, pattern: /^[A-Z][A-Z0-9_]{5,40}$|^-{1,2}[a-z][a-z0-9-]{3,}/ },
];

/**
 * Strings worth reading first: ranked by what kind of text they are, then by how much code refers to them, then by
 * address. Equal texts count once. The same image gives the same ranking everywhere.
 */
export function notableStrings(
  program: Program,
  { limit, checkpoint }: { readonly limit: number; readonly checkpoint: () => void },
): readonly NotableString[] {
  const best = new Map<string, Ranked>();
  program.strings.forEach((record, index) => {
    if (index % checkEvery === 0) checkpoint();
    const ranked = rank(program, record);
    if (ranked.score <= 0) return;
    const known = best.get(ranked.text);
    if (known === undefined || before(ranked, known) < 0) best.set(ranked.text, ranked);
  });
  return varied([...best.values()].sort(before), limit);
}

/** The first of each kind up to a third of the places, then whatever ranks next, in order of rank. */
function varied(ranked: readonly Ranked[], limit: number): readonly Ranked[] {
  const most = Math.max(2, Math.ceil(limit / 3));
  const taken = new Map<number, number>();
  const isEarly = ({ kind }: Ranked): boolean => {
    const count = (taken.get(kind) ?? 0) + 1;
    taken.set(kind, count);
    return count <= most;
  };
  const early: Ranked[] = [];
  const late: Ranked[] = [];
  for (const item of ranked) (isEarly(item) ? early : late).push(item);
  return [...early, ...late].slice(0, limit).sort(before);
}

function rank(program: Program, record: StringRecord): Ranked {
  const text = record.text();
  const references = codeReferences(program, record.rva);
  const kind = text.length > longText ? longTextScore : (telling.find(({ pattern }) => pattern.test(text))?.score ?? 0);
  // A text that no code refers to is often data that merely looks like text.
  const score = kind + Math.min(references, 5) * 2 - (references === 0 ? 15 : 0);
  return { record, text, references, score, kind };
}

function codeReferences(program: Program, rva: number): number {
  return program.referencesTo(rva).filter((reference) => reference.operandIndex !== undefined).length;
}

function before(a: Ranked, b: Ranked): number {
  return b.score - a.score || b.references - a.references || a.record.rva - b.record.rva;
}
