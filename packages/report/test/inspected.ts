import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { artifactOfBytes, inspection, inventory, openArtifact, type Artifact } from "@rea/artifact";
import { afterAll } from "vitest";
import type { InspectedArtifact } from "../src/index.js";

const root = mkdtempSync(join(tmpdir(), "rea-report-test-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
let serial = 0;

/** A fresh directory with these files. */
export function directoryOf(files: { readonly [path: string]: string | Uint8Array }): string {
  serial += 1;
  const top = join(root, String(serial));
  mkdirSync(top);
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(top, path)), { recursive: true });
    writeFileSync(join(top, path), content);
  }
  return top;
}

/** An ASAR archive; `declared` overrides the digest that its header gives a file. */
export function asar(files: { readonly [name: string]: string }, declared: { readonly [name: string]: string } = {}): Uint8Array {
  let offset = 0;
  const entries = Object.entries(files).map(([name, text]) => {
    const hash = declared[name] ?? createHash("sha256").update(text).digest("hex");
    const entry = { size: text.length, offset: String(offset), integrity: { algorithm: "SHA256", hash, blockSize: 4_194_304, blocks: [hash] } };
    offset += text.length;
    return [name, entry] as const;
  });
  const header = Buffer.from(JSON.stringify({ files: Object.fromEntries(entries) }));
  const padded = Math.ceil(header.length / 4) * 4;
  const head = Buffer.alloc(16 + padded);
  [4, padded + 8, padded + 4, header.length].forEach((value, index) => head.writeUInt32LE(value, index * 4));
  header.copy(head, 16);
  return Buffer.concat([head, ...Object.values(files).map((text) => Buffer.from(text))]);
}

export const gzip = (text: string): Uint8Array => gzipSync(text);

/** What the runtime hands to a document: the inventory of a path or of bytes. */
export async function inspected(from: string | Uint8Array, name = "sample"): Promise<InspectedArtifact> {
  const artifact: Artifact = typeof from === "string" ? openArtifact(from) : artifactOfBytes(from, name);
  try {
    const found = await inventory(artifact, { integrityPolicy: "record-and-continue" });
    const { manifest, coverage } = await inspection(found, { offset: 0, limit: 1, integrity_policy: "record-and-continue" });
    return {
      name: artifact.name,
      evidenceId: `ev_${"0".repeat(64)}`,
      manifest,
      coverage,
      graph: found.graph,
      anomalies: found.anomalies,
      product: { name: "REA", version: "1.2.3" },
    };
  } finally {
    artifact.close();
  }
}
