import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formats } from "../../src/formats/index.js";
import { artifactOfBytes, inventory, type Inventory } from "../../src/index.js";
import { archiveSamples } from "./archive-samples.js";

const numRuns = Number(process.env["REA_FUZZ_RUNS"] ?? "15");
/** Far beyond what any of these takes; one that hangs is cancelled, and told with what made it hang. */
const hangMs = 60_000;
/** The same of the processors' time, whatever else they do. */
const mostCpuMs = 5000;

async function look(bytes: Uint8Array): Promise<Inventory> {
  const before = process.cpuUsage();
  const found = await inventory(artifactOfBytes(bytes), { integrityPolicy: "record-and-continue", signal: AbortSignal.timeout(hangMs) });
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1000).toBeLessThan(mostCpuMs);
  return found;
}

/** True when nothing was said to be wrong or left out. */
function looksWhole({ omissions, anomalies, graph }: Inventory): boolean {
  return omissions.length === 0 && anomalies.length === 0 && graph.integrity_contradictions.length === 0 && graph.occurrences.every(({ hash_status }) => hash_status !== "mismatched");
}

/** Digests of all that lies in the archive and has a content of its own; that of a symbolic link is where it leads. */
function contentsOf({ graph }: Inventory): readonly string[] {
  const targets = graph.occurrences.flatMap(({ entry_kind, link_target }) => (entry_kind === "symlink" && link_target !== null ? [sha256(link_target)] : []));
  const files = new Set(graph.occurrences.flatMap(({ artifact_id, entry_kind, parent_occurrence_id }) => (artifact_id === null || entry_kind === "directory" || parent_occurrence_id === null ? [] : [artifact_id])));
  return [...targets, ...graph.nodes.flatMap(({ artifact_id, sha256: digest }) => (files.has(artifact_id) ? [digest] : []))].sort();
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** An archive that still is one, says nothing, and lacks something, deceives. */
function lost(found: Inventory, whole: Inventory): readonly string[] {
  if (found.manifest.root_format !== whole.manifest.root_format || !looksWhole(found)) return [];
  const read = new Set(contentsOf(found));
  return contentsOf(whole).filter((digest) => !read.has(digest));
}

const samples = archiveSamples();

test("there is a sample of every format that is opened", () => {
  const refined = new Set(["ipa", "apk", "msix", "appx"]);
  expect([...new Set(samples.map(({ format }) => format))].sort()).toEqual(formats.map(({ id }) => id).filter((id) => !refined.has(id)).sort());
});

describe.each(samples)("$title, damaged", ({ format, bytes, proves, ends = [] }) => {
  test("is whole at first", async () => {
    const whole = await look(bytes);
    expect(whole.manifest.root_format).toBe(format);
    expect(contentsOf(whole).length).toBeGreaterThan(0);
  });

  test("and cut short, is never taken for a whole one", async () => {
    const whole = await look(bytes);
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: bytes.byteLength - 1 }).filter((length) => !ends.includes(length)), async (length) => {
        expect(lost(await look(bytes.subarray(0, length)), whole)).toEqual([]);
      }),
      { numRuns },
    );
  });

  test("by other bytes in some places, is read to an end, and what is under checksums is never taken for whole", async () => {
    const whole = await look(bytes);
    // Where headers stand, damage does most; half of it goes to either end.
    const place = fc.oneof(fc.nat({ max: bytes.byteLength - 1 }), fc.nat({ max: Math.min(511, bytes.byteLength - 1) }), fc.nat({ max: Math.min(511, bytes.byteLength - 1) }).map((back) => bytes.byteLength - 1 - back));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(place, fc.integer({ min: 1, max: 255 })), { minLength: 1, maxLength: 4 }), async (changes) => {
        const changed = Buffer.from(bytes);
        for (const [at, flip] of changes) changed[at] = (changed[at] ?? 0) ^ flip;
        const found = await look(changed);
        if (proves) expect(lost(found, whole)).toEqual([]);
      }),
      { numRuns },
    );
  });
});
