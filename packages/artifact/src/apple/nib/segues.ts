import { fieldOf, listOf, referenceIn, textOf, type ObjectGraph } from "./object-graph.js";

/** A way from one scene of a storyboard to another. */
export interface InterfaceSegue {
  readonly index: number;
  readonly className: string;
  readonly identifier: string | null;
  /** Scene that it leads to, as the storyboard names it. */
  readonly destination: string | null;
  /** Selector of an unwind. */
  readonly action: string | null;
  /** Object that lists it. */
  readonly source: number | null;
}

const mostScanned = 1_000_000;

/** Templates of segues anywhere in the archive, with the object whose list holds them. */
export function seguesOf(graph: ObjectGraph): readonly InterfaceSegue[] {
  const sources = new Map<number, number>();
  const found: number[] = [];
  for (let index = 0; index < Math.min(graph.count, mostScanned); index += 1) {
    const object = graph.object(index);
    if (object === undefined) continue;
    if (/SegueTemplate$/.test(object.className ?? "")) found.push(index);
    const templates = ["UIStoryboardSegueTemplates", "NSStoryboardSegueTemplates"].flatMap((key) => listOf(graph, fieldOf(object.fields, key)));
    for (const template of templates) sources.set(template, index);
  }
  return found.map((index) => segue(graph, index, sources.get(index)));
}

function segue(graph: ObjectGraph, index: number, source: number | undefined): InterfaceSegue {
  const object = graph.object(index);
  const fields = object?.fields ?? [];
  const text = (...keys: readonly string[]) => keys.map((key) => textOf(graph, fieldOf(fields, key))).find((found) => found !== undefined) ?? null;
  return {
    index,
    className: object?.className ?? "",
    identifier: text("UIIdentifier", "NSIdentifier", "NSSegueIdentifier"),
    destination: text("UIDestinationViewControllerIdentifier", "NSDestinationControllerIdentifier", "NSDestinationViewControllerIdentifier"),
    action: text("UIAction", "UIUnwindAction", "NSAction"),
    source: source ?? referenceIn(fields, "UISource") ?? null,
  };
}
