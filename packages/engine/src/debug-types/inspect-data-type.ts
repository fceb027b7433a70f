import type { OperationParams, OperationResult } from "@rea/core";
import type { DebugInformation, DebugType, TypeId } from "@rea/binary";
import { answer, type Answer } from "../operations/answer.js";
import { givenAddress } from "../operations/cursor.js";
import type { ImageQuery } from "../operations/query.js";
import { shownName } from "../operations/shown-text.js";
import { debugOfImage } from "./debug-of-image.js";

type Result = OperationResult<"inspect_native_data_type">;
type Field = Result["fields"][number];

/** Items of each list in one answer. */
const mostItems = 2000;

/** A type by name, or of what stands at an address, as debug information has it; `unknown` with the reason where it has none. */
export function inspectNativeDataType(query: ImageQuery, { type, address }: OperationParams<"inspect_native_data_type">): Answer<Result> {
  const found = debugOfImage(query.image, query.checkpoint);
  if (found === undefined) return unknown("The file holds no debug information (DWARF): layouts of types are not in it. Inspect the file with symbols, or a build made with -g.");
  if (type !== undefined) return byName(found, type);
  return address === undefined ? unknown("No type was named.") : byAddress(found, givenAddress(address));
}

function unknown(reason: string, found?: DebugInformation): Answer<Result> {
  const nothing: Result = { name: null, kind: "unknown", declaration: null, size: null, alignment: null, packed: null, fields: [], enumerators: [], referenced_types: [] };
  return answer(nothing, { limitations: [reason, ...(found === undefined ? [] : damage(found))] });
}

function byName(found: DebugInformation, name: string): Answer<Result> {
  const ids = found.typesNamed(plainName(name));
  const [id] = ids;
  if (id === undefined) return unknown("The debug information defines no type of that name. Names are those of the source, with or without scopes; the type of a variable is found by its address.", found);
  const layouts = new Set(ids.map((each) => JSON.stringify(shapeOf(found, each))));
  const limitations = layouts.size > 1 ? [`${String(layouts.size)} different types have that name; the first of the file is shown. Name it with its scopes to choose.`] : [];
  return described(found, id, { limitations });
}

/** `struct node` and `node *` mean `node`. */
function plainName(name: string): string {
  return name.trim().replace(/^(?:struct|union|enum|class)\s+/, "");
}

function shapeOf(found: DebugInformation, id: TypeId): unknown {
  return [found.type(id)?.kind, found.sizeOf(id), found.fields(found.plainType(id)?.id ?? id, 64).map(({ name, offset }) => [name, offset])];
}

function byAddress(found: DebugInformation, va: bigint): Answer<Result> {
  const id = found.functionTypeAt(va);
  if (id !== undefined) {
    const fn = found.functionAt(va);
    return described(found, id, { limitations: [], name: fn?.name, parameters: fn?.parameters.map(({ name }) => name) });
  }
  const variable = found.variableAt(va);
  if (variable?.type === undefined) return unknown("The debug information names no variable that covers the address and no function that starts at it.", found);
  const inside = va === variable.va ? [] : [`The address is ${String(va - variable.va)} bytes into the variable.`];
  return described(found, variable.type, { limitations: inside, name: variable.name });
}

interface Wanted {
  readonly limitations: readonly string[];
  /** Of the variable or function that has the type. */
  readonly name?: string | undefined;
  readonly parameters?: readonly (string | undefined)[] | undefined;
}

function described(found: DebugInformation, id: TypeId, { limitations, name, parameters: names = [] }: Wanted): Answer<Result> {
  const own = found.type(id);
  const plain = found.plainType(id);
  const fields = own?.kind === "function" ? parameters(found, id, names) : members(found, plain);
  const enumerators = plain?.kind === "enum" ? found.enumerators(plain.id, mostItems + 1) : [];
  const result: Result = {
    name: own === undefined ? null : shownName(own.name ?? found.typeText(id)),
    kind: own?.kind ?? "unknown",
    declaration: shownName(declaration(found, id, { own, name })),
    size: found.sizeOf(id) ?? null,
    alignment: found.alignmentOf(id) ?? null,
    packed: found.isPacked(id) ?? null,
    fields: fields.slice(0, mostItems),
    enumerators: enumerators.slice(0, mostItems).map((each) => ({ name: shownName(each.name), value: String(each.value) })),
    referenced_types: referenced(found, { own, plain, fields: fields.slice(0, mostItems) }),
  };
  const cut = fields.length > mostItems || enumerators.length > mostItems ? [`Only the first ${String(mostItems)} items are shown.`] : [];
  const declared = plain?.isDeclaration === true ? ["The type is only declared in this file: its layout is elsewhere."] : [];
  return answer(result, { limitations: [...limitations, ...declared, ...cut, ...damage(found)] });
}

function declaration(found: DebugInformation, id: TypeId, { own, name }: { readonly own: DebugType | undefined; readonly name: string | undefined }): string {
  if (own?.kind === "function") return found.typeText(id, name ?? "");
  if (name !== undefined) return found.typeText(id, name);
  return own?.kind === "typedef" ? `typedef ${found.typeText(own.to, own.name ?? "")}` : found.typeText(id);
}

function members(found: DebugInformation, plain: DebugType | undefined): Field[] {
  if (plain === undefined || plain.kind === "enum" || plain.kind === "array" || plain.kind === "function" || plain.kind === "base") return [];
  return found.fields(plain.id, mostItems + 1).map(({ name, type, offset, bits, role }) => ({
    offset: offset ?? null,
    name: name === undefined ? null : shownName(name),
    type: shownName(found.typeText(type)),
    size: found.sizeOf(type) ?? null,
    bit_offset: bits?.from ?? null,
    bit_size: bits?.count ?? null,
    role,
  }));
}

function parameters(found: DebugInformation, id: TypeId, names: readonly (string | undefined)[]): Field[] {
  return found.signature(id).parameters.map((type, position) => ({
    offset: null,
    name: shownName(names[position] ?? "") || null,
    type: shownName(found.typeText(type)),
    size: found.sizeOf(type) ?? null,
    bit_offset: null,
    bit_size: null,
    role: "parameter",
  }));
}

interface Described {
  readonly own: DebugType | undefined;
  readonly plain: DebugType | undefined;
  readonly fields: readonly Field[];
}

/** Types that the answer names, as they can be asked for next. */
function referenced(found: DebugInformation, { own, plain, fields }: Described): string[] {
  const names = new Set(fields.map(({ type }) => type));
  if (own?.to !== undefined) names.add(shownName(found.typeText(own.to)));
  if (plain !== own && plain !== undefined) names.add(shownName(found.typeText(plain.id)));
  return [...names].sort();
}

function damage(found: DebugInformation): string[] {
  return found.omissions().map(({ how_to_continue: note }) => `Debug information is not complete. ${note ?? ""}`.trim());
}
