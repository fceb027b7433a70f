import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { z } from "@rea/core";
import { output } from "../corpus/programs.js";
import { applications, driver, jsxLoader, packages } from "./bundler-driver.js";
import { graphOf } from "./graph-of.js";

const truthSchema = z.object({ modules: z.array(z.string()), edges: z.array(z.tuple([z.string(), z.string()])) });

/** How much of what a bundler says of its build the reader found, and how much of what it found is so; in ppm. */
export interface BuildScore {
  readonly build: string;
  readonly modules: Score;
  readonly edges: Score;
}

interface Score {
  readonly truth: number;
  readonly recallPpm: number;
  readonly precisionPpm: number;
}

/** Builds three applications with three bundlers for production and reads the builds. Undefined without a registry. */
export async function bundlerBuilds(directory: string): Promise<readonly BuildScore[] | undefined> {
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, "package.json"), JSON.stringify({ name: "builds", version: "1.0.0", private: true, type: "module" }));
  for (const [name, files] of Object.entries(applications)) for (const [path, text] of Object.entries(files)) write(join(directory, "apps", name, path), text);
  write(join(directory, "build.mjs"), driver);
  write(join(directory, "jsx-loader.cjs"), jsxLoader);
  try {
    await output(["npm", "install", "--no-audit", "--no-fund", "--silent", ...packages], { cwd: directory });
  } catch {
    // Said by whoever asked: without a registry the figure is skipped.
    return undefined;
  }
  await output([process.execPath, "build.mjs"], { cwd: directory });
  const scores: BuildScore[] = [];
  for (const bundler of ["webpack", "vite", "esbuild"]) for (const name of Object.keys(applications)) scores.push(await scoreOf(join(directory, "out", `${bundler}-${name}`), `${bundler}, ${name}`));
  return scores;
}

async function scoreOf(path: string, build: string): Promise<BuildScore> {
  const truth = truthSchema.parse(JSON.parse(readFileSync(`${path}.truth.json`, "utf8")));
  const graph = await graphOf(path);
  const names = new Map(graph.nodes.filter(({ kind }) => kind === "source-module").map(({ node_id, name }) => [node_id, plain(name)]));
  const used = graph.edges.filter(({ relation }) => relation === "maps_to").flatMap(({ to }) => names.get(to) ?? []);
  const imports = graph.edges.filter(({ relation, from, to }) => relation === "imports" && names.has(from) && names.has(to)).map(({ from, to }) => `${names.get(from) ?? ""} > ${names.get(to) ?? ""}`);
  const wanted = truth.edges.map(([from, to]) => [plain(from), plain(to)]).filter(([from, to]) => from !== to).map(([from = "", to = ""]) => `${from} > ${to}`);
  return { build, modules: score(new Set(used), new Set(truth.modules.map(plain))), edges: score(new Set(imports), new Set(wanted)) };
}

function score(found: ReadonlySet<string>, truth: ReadonlySet<string>): Score {
  const right = [...found].filter((one) => truth.has(one)).length;
  return { truth: truth.size, recallPpm: Math.round((right / truth.size) * 1e6), precisionPpm: Math.round((right / found.size) * 1e6) };
}

function plain(path: string): string {
  return path.replace(/^.*?(apps\/|node_modules\/)/u, "$1");
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
