import type { OperationResult } from "@rea/core";
import { grouped } from "./figures.js";
import { anomalyLines, leftOutLines } from "./findings-text.js";
import type { Style } from "./style.js";

type Decoded = OperationResult<"decode_interface_builder">;
type Item = Decoded["objects"]["items"][number];

const shownObjects = 60;

/** Documents one after another: what they hold, what is connected to what, and who gets which message. */
export function interfaceText(found: Decoded, style: Style): string {
  const objects = new Map(found.objects.items.map((object) => [object.id, object]));
  return [
    ...found.documents.flatMap((document) => [...documentLines(document, found, { objects, style })]),
    ...found.storyboards.flatMap((storyboard) => [
      "",
      `${style.heading(storyboard.logical_path)}  ${style.dim(`starts with ${storyboard.entry_point ?? "no scene"}`)}`,
      ...storyboard.scenes.map(({ identifier, document }) => `  scene ${identifier}  ${document ?? style.warn("its nib is missing")}`),
    ]),
    ...(found.documents.length === 0 ? ["No compiled interface document was decoded."] : []),
    ...(found.unresolved_archives.total === 0 ? [] : ["", style.heading("not decoded")]),
    ...found.unresolved_archives.items.map(({ logical_path, reason }) => `  ${logical_path}: ${style.warn(reason)}`),
    ...leftOutLines(found.coverage, style),
  ]
    .map((line) => `${line.trimEnd()}\n`)
    .join("");
}

interface Shown {
  readonly objects: ReadonlyMap<string, Item>;
  readonly style: Style;
}

function* documentLines(document: Decoded["documents"][number], found: Decoded, { objects, style }: Shown): Generator<string> {
  const { logical_path, encoding, framework, objects: count, connections } = document;
  const inDocument = (row: { readonly document: string }) => row.document === logical_path;
  const name = (id: string | null, nobody: string) => (id === null ? nobody : nameOf(objects.get(id), id));
  yield `${style.heading(logical_path)}  ${style.dim(`${framework ?? "unknown framework"}, ${encoding}, ${grouped(count)} objects, ${grouped(connections)} connections`)}`;
  const rows = found.objects.items.filter(inDocument);
  for (const object of rows.slice(0, shownObjects)) yield `  ${objectLine(object, style)}`;
  if (rows.length > shownObjects) yield style.dim(`  … and ${grouped(rows.length - shownObjects)} more objects; --json shows all`);
  for (const { selector, source, destination, events } of found.actions.items.filter(inDocument)) {
    const when = events.length === 0 ? "" : style.dim(` on ${events.join(", ")}`);
    yield `  action  ${name(source, "?")} → ${style.code(selector ?? "?")} of ${name(destination, "the responder chain")}${when}`;
  }
  for (const outlet of found.outlets.items.filter(inDocument)) {
    yield `  outlet  ${name(outlet.source, "?")}.${style.code(outlet.name ?? "?")} = ${name(outlet.destination, "?")}`;
  }
  for (const segue of found.segues.items.filter(inDocument)) {
    yield `  segue   ${name(segue.source, "?")} → ${segue.destination_scene ?? "?"} ${style.dim([segue.identifier, segue.class].filter((word) => word !== null).join(", "))}`;
  }
  for (const other of found.other_connections.items.filter(inDocument)) {
    yield style.dim(`  ${other.class}  ${name(other.source, "?")} ${other.name ?? ""} ${other.key_path ?? ""}`);
  }
  yield* anomalyLines(document.anomalies, style);
}

function objectLine({ index, class: archived, custom_class, role, label }: Item, style: Style): string {
  const made = custom_class === null ? (archived ?? "?") : `${style.code(custom_class)} ${style.dim(archived ?? "")}`;
  const words = [role === "object" ? "" : role, label === null ? "" : JSON.stringify(label)].filter((word) => word !== "");
  return `#${String(index).padEnd(5)} ${made} ${words.join(" ")}`;
}

function nameOf(object: Item | undefined, id: string): string {
  if (object === undefined) return id;
  const label = object.label === null ? "" : ` ${JSON.stringify(object.label)}`;
  return `${object.custom_class ?? object.class ?? "?"} #${String(object.index)}${label}`;
}
