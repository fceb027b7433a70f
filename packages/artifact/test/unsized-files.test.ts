import { existsSync, readFileSync } from "node:fs";
import { sha256Hex } from "@rea/core";
import { expect, test } from "vitest";
import { inventory, openArtifact } from "../src/index.js";

const file = "/proc/sys/kernel/ostype";

test.skipIf(!existsSync(file))("a file that the system makes up when it is read is read to its end, whatever size it says", async () => {
  const text = readFileSync(file, "utf8");
  const { manifest } = await inventory(openArtifact(file));
  expect(manifest.root_sha256).toBe(sha256Hex(text));
});

test.skipIf(!existsSync("/proc/sys/kernel/random"))("so are those in a directory", async () => {
  const { graph } = await inventory(openArtifact("/proc/sys/kernel/random"));
  const node = new Map(graph.nodes.map((one) => [one.artifact_id, one.bytes]));
  const bytesAt = (path: string): number | undefined => node.get(graph.occurrences.find(({ logical_path }) => logical_path === path)?.artifact_id ?? "");
  expect(bytesAt("boot_id")).toBe(37);
  expect(bytesAt("poolsize")).toBeGreaterThan(1);
});
