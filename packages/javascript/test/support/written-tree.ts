import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseApplicationGraph, silentProgress, type ApplicationGraph } from "@rea/core";
import type { AnalysisRequest } from "../../src/application/analysis-request.js";
import { analyzeHere, type AnalyzedApplication } from "../../src/application/analyze-here.js";

export type Tree = { readonly [path: string]: string | Uint8Array };

/** Directories that a test file made; removed by `clean`. */
const made: string[] = [];

export function clean(): void {
  for (const directory of made.splice(0)) rmSync(directory, { recursive: true, force: true });
}

export function emptyDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "rea-javascript-"));
  made.push(directory);
  return directory;
}

export function writeTree(tree: Tree, root = join(emptyDirectory(), "app")): string {
  mkdirSync(root, { recursive: true });
  for (const [path, content] of Object.entries(tree)) {
    const file = join(root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
  return root;
}

/** Packs a directory with Electron's own tool. */
export async function packAsar(directory: string, options: { readonly unpack?: string } = {}): Promise<string> {
  const asar = createRequire(import.meta.url)("@electron/asar");
  const archive = join(emptyDirectory(), "app.asar");
  await asar.createPackageWithOptions(directory, archive, options);
  await written(archive);
  return archive;
}

/** Electron's tool ends its stream without waiting for it: the last files may not be on disk yet when it is done. */
async function written(archive: string): Promise<void> {
  while (!isWhole(archive)) await sleep(5);
}

/** Whether all content that the header names is there. */
function isWhole(archive: string): boolean {
  const file = readFileSync(archive);
  if (file.byteLength < 16) return false;
  const [headerBytes, jsonBytes] = [file.readUInt32LE(4), file.readUInt32LE(12)];
  if (file.byteLength < 16 + jsonBytes) return false;
  const header: unknown = JSON.parse(file.toString("utf8", 16, 16 + jsonBytes));
  return file.byteLength >= 8 + headerBytes + lastByte(header);
}

function lastByte(entry: unknown): number {
  if (typeof entry !== "object" || entry === null) return 0;
  if ("files" in entry && typeof entry.files === "object" && entry.files !== null) return Math.max(0, ...Object.values(entry.files).map(lastByte));
  return "offset" in entry && "size" in entry ? Number(entry.offset) + Number(entry.size) : 0;
}

/** An analysis with its graph as an object. */
export type ReadAnalysis = Omit<AnalyzedApplication, "graph"> & { readonly graph: ApplicationGraph; readonly graphBytes: number };

export async function analyze(path: string, more: Partial<AnalysisRequest> = {}): Promise<ReadAnalysis> {
  const request: AnalysisRequest = { path, format: "auto", innerPath: null, integrityPolicy: "fail", cache: null, threads: 2, timeMs: 600_000, limits: {}, ...more };
  const { graph, ...found } = await analyzeHere(request, { signal: new AbortController().signal, progress: silentProgress });
  return { ...found, graph: parseApplicationGraph(JSON.parse(Buffer.from(graph.text).toString("utf8"))), graphBytes: graph.bytes };
}
