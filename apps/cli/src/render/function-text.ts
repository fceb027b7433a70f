import { isJsonObject, type JsonObject, type JsonValue } from "@rea/core";

/** Basic blocks one a line, each edge with its kind and, on switches, its cases; undefined when the items are no blocks. */
export function blockLines(items: readonly JsonObject[], width: number): readonly string[] | undefined {
  const blocks = items.map((item) => blockLine(item, width));
  const known = blocks.filter((lines) => lines !== undefined);
  return known.length === items.length && known.length > 0 ? known.flat() : undefined;
}

function blockLine({ start, end, instruction_count: count, successors, loop }: JsonObject, width: number): readonly string[] | undefined {
  if (typeof start !== "string" || typeof end !== "string" || typeof count !== "number" || !Array.isArray(successors)) return undefined;
  const edges = successors.filter(isJsonObject).map(edgeText);
  const inside = typeof loop !== "string" ? "" : loop === start ? "  loop header" : `  in loop ${loop}`;
  const head = `${start}..${end}  ${String(count).padStart(3)} instr.`;
  const line = `${head}  ${edges.length === 0 ? "leaves" : `→ ${edges.join(", ")}`}${inside}`;
  // What does not fit is not cut: an edge is the point of the line.
  return line.length <= width ? [line] : [`${head}${inside}`, ...edges.map((edge) => `    → ${edge}`)];
}

function edgeText({ address, kind, cases, numbering, default: isDefault }: JsonObject): string {
  const numbers = Array.isArray(cases) ? cases.map(text) : [];
  const named = numbers.length === 0 ? "" : ` ${numbering === "index" ? "index" : "case"} ${numbers.join(" ")}`;
  return `${text(address)} ${text(kind)}${named}${isDefault === true ? " default" : ""}`;
}

/** The stack frame in one line; undefined when the value is none. */
export function frameLine(frame: JsonValue): string | undefined {
  if (!isJsonObject(frame) || typeof frame["fixed_size"] !== "number") return undefined;
  const { size, fixed_size: fixed, frame_pointer: pointer, saved_registers: saved, below_stack_pointer: below } = frame;
  const parts = [size === null ? `size not fixed, at least ${String(fixed)} bytes` : `${text(size)} bytes`];
  parts.push(isJsonObject(pointer) ? `frame pointer ${text(pointer["register"])}` : "no frame pointer");
  const kept = Array.isArray(saved) ? saved.filter(isJsonObject).map((item) => `${text(item["register"])} at ${text(item["offset"])}`) : [];
  if (kept.length > 0) parts.push(`keeps ${kept.join(", ")}`);
  if (typeof below === "number" && below > 0) parts.push(`${String(below)} bytes below the stack pointer`);
  return parts.join("; ");
}

function text(value: JsonValue | undefined): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}
