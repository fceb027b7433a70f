import type { FunctionRecord } from "../program.js";
import { referenceCode } from "../disassembler/disassembler.js";
import { flow } from "../disassembler/flow.js";
import type { CodeMap } from "./code-map.js";
import { isMarker } from "./landing-marker.js";
import type { ChosenName } from "./names.js";
import type { Body } from "./partition.js";
import type { ReferenceTable } from "./reference-table.js";
import type { Seeds } from "./seeds.js";
import type { WorkBounds } from "./work-bounds.js";

interface RecordContext {
  readonly code: CodeMap;
  readonly seeds: Seeds;
  readonly bounds: WorkBounds;
  readonly references: ReferenceTable;
  /** Cells that relocation fills with an address of this image. */
  readonly pointers: ReadonlyMap<number, number>;
  readonly names: ReadonlyMap<number, ChosenName>;
  /** True when the function is known never to return. */
  readonly neverReturns: (entry: number) => boolean;
}

const longestThunk = 6;

/** Turns bodies into the public records, sorted by entry, thunks and external stubs recognised. */
export function functionRecords(bodies: readonly Body[], context: RecordContext): FunctionRecord[] {
  return bodies
    .filter((body) => body.ranges.length > 0)
    .map((body) => watchedRecord(body, context))
    .sort(context.bounds.watchedOrder((a, b) => a.entry - b.entry));
}

function watchedRecord(body: Body, context: RecordContext): FunctionRecord {
  context.bounds.worked(64);
  return makeRecord(body, context);
}

function makeRecord(body: Body, context: RecordContext): FunctionRecord {
  const { seeds } = context;
  const stub = seeds.stubs.get(body.entry);
  const jump = stub === undefined ? thunkJump(body, context) : undefined;
  const imported = stub ?? jump?.imported;
  const importName = imported === undefined ? undefined : nameOfImport(imported);
  return {
    entry: body.entry,
    ranges: body.ranges,
    size: body.ranges.reduce((sum, range) => sum + range.end - range.start, 0),
    ...chooseName(body.entry, importName, context),
    sources: seeds.sources.of(body.entry),
    external: imported !== undefined,
    thunk: imported !== undefined || jump !== undefined,
    thunkTarget: importName ?? (jump?.to === undefined ? undefined : nameAt(jump.to, context)),
    noReturn: seeds.noReturn.has(body.entry) || context.neverReturns(body.entry),
  };
}

function nameOfImport({ name, ordinal }: NamedImport): string | undefined {
  return name ?? (ordinal === undefined ? undefined : `ordinal_${String(ordinal)}`);
}

function chooseName(entry: number, importName: string | undefined, context: RecordContext): ChosenName {
  const chosen = context.names.get(entry);
  if (chosen !== undefined) return chosen;
  if (importName !== undefined) return { name: importName, nameSource: "import" };
  return { name: generatedName(entry, context), nameSource: "generated" };
}

function nameAt(rva: number, context: RecordContext): string {
  return context.names.get(rva)?.name ?? importJumpedTo(rva, context) ?? generatedName(rva, context);
}

/** Name of the import through whose cell the instruction at the address jumps. */
function importJumpedTo(rva: number, { references, seeds }: RecordContext): string | undefined {
  let name: string | undefined;
  references.forEachFrom(rva, rva + 1, (row) => {
    const imported = references.kindOf(row) === referenceCode.jump ? seeds.slots.get(references.toOf(row)) : undefined;
    if (imported !== undefined) name = nameOfImport(imported);
  });
  return name;
}

function generatedName(rva: number, { code }: RecordContext): string {
  return `sub_${(code.base + BigInt(rva)).toString(16)}`;
}

interface NamedImport {
  readonly name: string | undefined;
  readonly ordinal: number | undefined;
}

interface ThunkJump {
  readonly to: number | undefined;
  readonly imported: NamedImport | undefined;
}

/** What a function that only jumps on leads to: another function, or an import through its cell. */
function thunkJump(body: Body, context: RecordContext): ThunkJump | undefined {
  const last = lastOfThunk(body, context);
  const range = body.ranges[0];
  if (last === undefined || range === undefined) return undefined;
  const { references, seeds, pointers } = context;
  let found: ThunkJump | undefined;
  references.forEachFrom(range.start, range.end, (row) => {
    const to = references.toOf(row);
    const kind = references.kindOf(row);
    const imported = seeds.slots.get(to);
    if (imported !== undefined && (kind === referenceCode.jump || kind === referenceCode.read)) found = { to: undefined, imported };
    else if (last === flow.indirectJump && pointers.has(to)) found ??= { to: pointers.get(to), imported: undefined };
    else if (last === flow.jump && kind === referenceCode.jump && to !== body.entry) found ??= { to, imported: undefined };
  });
  return found;
}

/**
 * Flow of the last instruction when the body is a single short run that ends in a jump and does nothing else. A jump that
 * names its target or the cell of it counts only alone or behind a marker of a place to jump to: what computes first is no
 * thunk. A jump through a register needs the instructions that load it.
 */
function lastOfThunk(body: Body, { code, references }: RecordContext): number | undefined {
  const range = body.ranges[0];
  if (range === undefined || body.ranges.length > 1 || body.instructions > longestThunk) return undefined;
  let kind = -1;
  let rva = range.start;
  let marked = false;
  while (rva < range.end) {
    kind = code.flowAt(rva);
    if (kind !== flow.sequential && kind !== flow.padding) break;
    if (rva === range.start) marked = doesNothing(code, rva);
    rva += Math.max(1, code.lengthAt(rva));
  }
  if (kind !== flow.jump && kind !== flow.indirectJump) return undefined;
  const loaded = kind === flow.indirectJump && references.nextFrom(rva) !== rva;
  const alone = rva === range.start || (marked && rva === range.start + code.lengthAt(range.start));
  return loaded || alone ? kind : undefined;
}

/** A marker of a place to jump to, or the two bytes of `mov edi, edi` that Windows patches. */
function doesNothing(code: CodeMap, rva: number): boolean {
  const region = code.regionAt(rva);
  if (region === undefined) return false;
  const at = rva - region.start;
  return isMarker(region, at) || (region.decoder.decode(at) && region.decoder.length === 2 && region.bytes[at] === 0x8b && region.bytes[at + 1] === 0xff);
}
