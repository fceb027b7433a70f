import type { FunctionRecord } from "../program.js";
import { referenceCode } from "../disassembler/disassembler.js";
import { flow } from "../disassembler/flow.js";
import type { CodeMap } from "./code-map.js";
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
  return context.names.get(rva)?.name ?? generatedName(rva, context);
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
  const last = lastOfThunk(body, context.code);
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

/** Flow of the last instruction when the body is a single short run that ends in a jump and does nothing else. */
function lastOfThunk(body: Body, code: CodeMap): number | undefined {
  const range = body.ranges[0];
  if (range === undefined || body.ranges.length > 1 || body.instructions > longestThunk) return undefined;
  let kind = -1;
  let count = 0;
  for (let rva = range.start; rva < range.end; count += 1) {
    kind = code.flowAt(rva);
    if (kind !== flow.sequential && kind !== flow.padding) break;
    rva += Math.max(1, code.lengthAt(rva));
  }
  // A direct jump counts only alone or behind a landing-pad marker: what computes first is no thunk.
  if (kind === flow.jump) return count <= 1 && body.instructions <= 2 ? kind : undefined;
  return kind === flow.indirectJump ? kind : undefined;
}
