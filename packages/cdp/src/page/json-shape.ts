import { compareCodePoints, escapeUntrusted, type WebShape } from "@rea/core";

type ShapeType = WebShape["places"][number]["types"][number];

export interface ShapeLimits {
  readonly depth: number;
  readonly nodes: number;
}

/** Shape of a JSON text; undefined when it is not JSON. Values are looked at for their type only. */
export function jsonShape(text: string, limits: ShapeLimits): WebShape | undefined {
  const value = parsedJson(text);
  return value === undefined ? undefined : shapeOf(value.json, limits);
}

function parsedJson(text: string): { readonly json: unknown } | undefined {
  try {
    return { json: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

function shapeOf(root: unknown, limits: ShapeLimits): WebShape {
  const places = new Map<string, Set<ShapeType>>();
  const waiting: { readonly value: unknown; readonly path: string; readonly depth: number }[] = [{ value: root, path: "$", depth: 0 }];
  let nodes = 0;
  let complete = true;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    nodes += 1;
    if (nodes > limits.nodes) {
      complete = false;
      break;
    }
    const { value, path, depth } = next;
    const types = places.get(path) ?? new Set();
    places.set(path, types.add(typeOf(value)));
    if (typeof value !== "object" || value === null) continue;
    if (depth >= limits.depth) {
      complete = false;
      continue;
    }
    // In reverse, so that the first are taken first: when nodes run out it is the end that is missing.
    for (const [name, child] of children(value).reverse()) waiting.push({ value: child, path: path + name, depth: depth + 1 });
  }
  const sorted = [...places].sort(([a], [b]) => compareCodePoints(a, b));
  return { places: sorted.map(([path, types]) => ({ path: escapeUntrusted(path), types: [...types].sort() })), complete };
}

function children(value: object): [string, unknown][] {
  if (Array.isArray(value)) return value.map((item: unknown) => ["[]", item]);
  return Object.entries(value).map(([name, item]) => [memberPath(name), item]);
}

function memberPath(name: string): string {
  const shown = name.length <= 256 ? name : `${name.slice(0, 255).replace(/[\ud800-\udbff]$/u, "")}…`;
  return /^[\p{ID_Start}_$][\p{ID_Continue}$]*$/u.test(shown) ? `.${shown}` : `[${JSON.stringify(shown)}]`;
}

function typeOf(value: unknown): ShapeType {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  const type = typeof value;
  return type === "boolean" || type === "number" || type === "string" ? type : "object";
}
