import type { InterfaceConnection } from "./connections.js";
import { fieldOf, listOf, referenceIn, textOf, type GraphObject, type ObjectGraph } from "./object-graph.js";

export interface InterfaceObject {
  /** Number in the archive. */
  readonly index: number;
  /** Number that Interface Builder gave it; null where the archive does not say. */
  readonly oid: number | null;
  /** Class as archived; of a stand-in for another class the class it was made from. */
  readonly className: string | null;
  /** Class that the nib asks for by name. */
  readonly customClass: string | null;
  readonly role: "object" | "file_owner" | "first_responder" | "placeholder";
  /** Title, text or identifier that it carries. */
  readonly label: string | null;
  readonly parent: number | null;
}

/** Objects that the nib lists and those that connections name, in order of their numbers. */
export function interfaceObjects(graph: ObjectGraph, connections: readonly InterfaceConnection[]): readonly InterfaceObject[] {
  const { root } = graph;
  const parents = pairs(graph, "NSObjectsKeys", "NSObjectsValues");
  const names = new Map(pairsWithText(graph, "NSClassesKeys", "NSClassesValues"));
  const oids = new Map(pairsWithNumbers(graph, "NSOidsKeys", "NSOidsValues"));
  const owner = referenceIn(root, "NSRoot");
  const listed = ["UINibObjectsKey", "UINibTopLevelObjectsKey", "UINibVisibleWindowsKey", "NSVisibleWindows"].flatMap((key) => listOf(graph, fieldOf(root, key)));
  const connected = connections.flatMap(({ source, destination }) => [source, destination]).filter((index) => index !== null);
  const indices = new Set([...(owner === undefined ? [] : [owner]), ...parents.keys(), ...listed, ...connected]);
  const containing = viewParents(graph, indices);
  return [...indices]
    .sort((a, b) => a - b)
    .flatMap((index): InterfaceObject[] => {
      const object = graph.object(index);
      if (object === undefined) return [];
      const { className, customClass } = classesOf(graph, object);
      return [
        {
          index,
          oid: oids.get(index) ?? null,
          className,
          customClass: customClass ?? names.get(index) ?? null,
          role: index === owner ? "file_owner" : roleOf(graph, object),
          label: labelOf(graph, object) ?? null,
          parent: parents.get(index) ?? containing.get(index) ?? null,
        },
      ];
    });
}

/** Stand-ins carry the name of the class that they ask for. */
function classesOf(graph: ObjectGraph, { className, fields }: GraphObject) {
  const text = (key: string) => textOf(graph, fieldOf(fields, key)) ?? null;
  switch (className) {
    case "NSClassSwapper":
      return { className: text("NSOriginalClassName") ?? className, customClass: text("NSClassName") };
    case "UIClassSwapper":
      return { className: text("UIOriginalClassName") ?? className, customClass: text("UIClassName") };
    case "NSCustomObject":
    case "NSCustomView":
    case "NSCustomResource":
      return { className, customClass: className === "NSCustomResource" ? null : text("NSClassName") };
    case "UICustomObject":
      return { className, customClass: text("UIClassName") };
    case "NSWindowTemplate":
      return { className, customClass: ((name) => (name === "NSWindow" || name === "NSPanel" ? null : name))(text("NSWindowClass")) };
    default:
      return { className, customClass: null };
  }
}

function roleOf(graph: ObjectGraph, { className, fields }: GraphObject): InterfaceObject["role"] {
  if (className !== "UIProxyObject") return className === "NSFirstResponder" ? "first_responder" : "object";
  switch (textOf(graph, fieldOf(fields, "UIProxiedObjectIdentifier"))) {
    case "IBFilesOwner":
      return "file_owner";
    case "IBFirstResponder":
      return "first_responder";
    default:
      return "placeholder";
  }
}

const labelKeys = [
  "NSTitle",
  "NSWindowTitle",
  "NSContents",
  "NSLabel",
  "NSToolbarItemLabel",
  "NSResourceName",
  "UITitle",
  "UIText",
  "UIButtonTitle",
  "UIPlaceholder",
  "UIStoryboardIdentifier",
  "UIProxiedObjectIdentifier",
  "UIRestorationIdentifier",
  "NSIdentifier",
  "NSReuseIdentifierKey",
];

function labelOf(graph: ObjectGraph, { fields }: GraphObject): string | undefined {
  for (const key of labelKeys) {
    const text = textOf(graph, fieldOf(fields, key));
    if (text !== undefined && text !== "") return text;
  }
  return undefined;
}

/** Two lists of equal length are a map; where a key is repeated the last one holds. */
function pairs(graph: ObjectGraph, keys: string, values: string): Map<number, number> {
  const right = listOf(graph, fieldOf(graph.root, values));
  return new Map(listOf(graph, fieldOf(graph.root, keys)).map((key, at) => [key, right[at] ?? 0] as const).filter(([key, value]) => value !== 0 && key !== value));
}

function pairsWithText(graph: ObjectGraph, keys: string, values: string): (readonly [number, string])[] {
  return [...pairs(graph, keys, values)].flatMap(([key, value]) => {
    const text = textOf(graph, { kind: "reference", index: value });
    return text === undefined ? [] : [[key, text] as const];
  });
}

/** Numbers are objects of their own, plain or with a class. */
function pairsWithNumbers(graph: ObjectGraph, keys: string, values: string): (readonly [number, number])[] {
  return [...pairs(graph, keys, values)].flatMap(([key, value]) => {
    const object = graph.object(value);
    const field = object?.fields.find(({ value: held }) => held.kind === "number")?.value;
    const number = object?.number ?? (field?.kind === "number" ? field.value : undefined);
    return number !== undefined && Number.isSafeInteger(number) && number >= 0 ? [[key, number] as const] : [];
  });
}

const childKeys: ReadonlySet<string> = new Set(["UISubviews", "NSSubviews", "UIView", "NSView", "NSMenuItems", "UIChildViewControllers", "NSWindowView", "UIItems"]);

/** Which of the objects holds which, by the fields that hold children. */
function viewParents(graph: ObjectGraph, indices: ReadonlySet<number>): Map<number, number> {
  const parents = new Map<number, number>();
  for (const index of indices) {
    for (const { key, value } of graph.object(index)?.fields ?? []) {
      if (!childKeys.has(key)) continue;
      const children = listOf(graph, value);
      const held = children.length > 0 || value.kind !== "reference" ? children : [value.index];
      for (const child of held) if (child !== index && indices.has(child) && !parents.has(child)) parents.set(child, index);
    }
  }
  return parents;
}
