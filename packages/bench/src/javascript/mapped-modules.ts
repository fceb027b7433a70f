import { readFileSync } from "node:fs";
import { graphOf } from "./graph-of.js";

/**
 * Of the first-party sources that a bundle's map gives code to: the share, in ppm, that a module of the bundle is tied to in
 * the graph. The truth is read from the map here, not by the reader.
 */
export async function mappedModules(bundle: string): Promise<{ readonly ppm: number; readonly sources: number }> {
  const map: unknown = JSON.parse(readFileSync(`${bundle}.map`, "utf8"));
  const names = sourcesOf(map).filter((name) => !/node_modules|^webpack:\/\/[^/]*\/(?:webpack\/|external )/u.test(name));
  const { nodes, edges } = await graphOf(bundle.slice(0, bundle.lastIndexOf("/")));
  const modules = new Set(nodes.filter(({ kind }) => kind === "javascript-module").map(({ node_id }) => node_id));
  const tied = new Set(edges.filter(({ relation, from }) => relation === "maps_to" && modules.has(from)).map(({ to }) => to));
  const paths = new Set(nodes.filter(({ node_id }) => tied.has(node_id)).map(({ name }) => name));
  const mapped = names.filter((name) => paths.has(plain(name)));
  return { ppm: Math.round((mapped.length / names.length) * 1e6), sources: names.length };
}

function plain(name: string): string {
  return name.replace(/\?.*$/u, "").replace(/^webpack:\/\/[^/]*\//u, "").replace(/^(?:\.{1,2}\/)+/u, "");
}

function sourcesOf(map: unknown): readonly string[] {
  if (typeof map !== "object" || map === null || !("sources" in map) || !Array.isArray(map.sources)) return [];
  const sources: readonly unknown[] = map.sources;
  return sources.flatMap((name) => (typeof name === "string" ? [name] : []));
}
