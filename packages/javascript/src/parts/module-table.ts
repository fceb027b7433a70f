import { children, elements, isFunction, keyValue, propertyKey, child, type SyntaxNode } from "../syntax/node.js";
import type { Bundler, FoundModule, RequireStyle } from "./found-part.js";

interface Row {
  readonly id: string;
  readonly factory: SyntaxNode;
  readonly at: SyntaxNode;
}

/** Rows of `{id: function, …}`, `[function, , function]`; undefined when it holds anything else. */
export function tableRows(table: SyntaxNode | undefined, mostParameters: number): readonly Row[] | undefined {
  const rows = table?.type === "ObjectExpression" ? objectRows(table) : table?.type === "ArrayExpression" ? arrayRows(table) : undefined;
  if (rows === undefined || rows.length === 0) return undefined;
  return rows.every(({ factory }) => isFunction(factory) && children(factory, "params").length <= mostParameters) ? rows : undefined;
}

function objectRows(table: SyntaxNode): readonly Row[] | undefined {
  const rows: Row[] = [];
  for (const property of children(table, "properties")) {
    const id = property.type === "Property" ? propertyKey(property) : undefined;
    const factory = child(property, "value");
    if (id === undefined || factory === undefined) return undefined;
    rows.push({ id, factory, at: property });
  }
  return rows;
}

/** Webpack 4 shortens runs of ids by `Array(n).concat([…])`; holes are ids that belong to other chunks. */
function arrayRows(table: SyntaxNode): readonly Row[] {
  return elements(table, "elements").flatMap((factory, index) =>
    factory === undefined || (factory.type === "Literal" && factory["value"] === 0) ? [] : [{ id: String(index), factory, at: factory }],
  );
}

/** Rows of `{id: [function, {name: id}], …}`, as Browserify and Parcel write them. */
export function dependencyRows(table: SyntaxNode | undefined): readonly (Row & { readonly dependencies: ReadonlyMap<string, string> })[] | undefined {
  if (table?.type !== "ObjectExpression") return undefined;
  const rows: (Row & { readonly dependencies: ReadonlyMap<string, string> })[] = [];
  for (const property of children(table, "properties")) {
    const id = property.type === "Property" ? propertyKey(property) : undefined;
    const pair = child(property, "value");
    if (id === undefined || pair?.type !== "ArrayExpression") return undefined;
    const [factory, names, ...more] = elements(pair, "elements");
    if (!isFunction(factory) || names?.type !== "ObjectExpression" || more.length > 0) return undefined;
    rows.push({ id, factory, at: property, dependencies: dependencyNames(names) });
  }
  return rows.length === 0 ? undefined : rows;
}

function dependencyNames(names: SyntaxNode): ReadonlyMap<string, string> {
  return new Map(
    children(names, "properties").flatMap((property): readonly (readonly [string, string])[] => {
      const name = propertyKey(property);
      const id = keyValue(child(property, "value"));
      return name === undefined || id === undefined ? [] : [[name, id]];
    }),
  );
}

/** A row as a module; ids that look like paths are paths. */
export function moduleOf({ id, factory, at }: Row, { bundler, requires, basis }: { readonly bundler: Bundler; readonly requires: RequireStyle; readonly basis: string }): FoundModule {
  return { bundler, id, path: isPathLike(id) ? id : null, factory, start: at.start, end: at.end, requires, basis };
}

/** `./src/a.js`, `node_modules/x/index.js`, `[project]/a.ts [client]`; not a number or a hash. */
export function isPathLike(id: string): boolean {
  return /[/\\]/u.test(id) || /\.[cm]?[jt]sx?$/iu.test(id);
}
