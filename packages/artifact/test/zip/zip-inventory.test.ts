import { expect, test } from "vitest";
import { artifactOfBytes, inventory } from "../../src/index.js";
import { buildZip, u32 } from "./build-zip.js";

async function inventoryOf(bytes: Uint8Array, name: string) {
  const { manifest, graph, anomalies, omissions } = await inventory(artifactOfBytes(bytes, name));
  return {
    format: manifest.root_format,
    places: graph.occurrences.map((place) => `${place.logical_path}#${String(place.duplicate_index)} ${place.hash_status}`).sort(),
    anomalies: anomalies.map(({ anomaly, logical_path }) => `${anomaly} ${logical_path}`).sort(),
    omissions: omissions.map(({ reason }) => reason).sort(),
  };
}

test("the eleven classic odd archives open in one walk, each oddity under its name", async () => {
  const archive = buildZip(
    [
      { name: "a", content: "shown", local: { name: "b" } },
      { name: "a", content: "twice" },
      { name: "same", content: "shown", sharesDataOf: 0, local: {} },
      { name: "hidden", content: "h", hidden: true },
      { name: "n\0l", content: "1" },
      { name: "../up", content: "2" },
      { name: "flag", content: "3", flags: 1 },
      { name: "crc", content: "4", local: { crc32: 1 }, central: { crc32: 1 } },
      { name: "method", content: "5", method: 9999 },
    ],
    { prefix: Buffer.from("in front"), trailing: Buffer.from("behind") },
  );
  const found = await inventoryOf(archive, "odd.bin");
  expect(found.format).toBe("zip");
  const expected = [
    "central_local_mismatch a",
    "central_local_mismatch same",
    "crc_mismatch crc",
    "duplicate_name a",
    "fake_encryption_flag flag",
    "orphan_local_entry hidden",
    "overlap same",
    "prefix_data .",
    "trailing_data .",
    "unknown_method method",
  ];
  for (const line of expected) expect(found.anomalies).toContain(line);
  expect(found.anomalies.filter((line) => line.startsWith("unsafe_name "))).toHaveLength(2);
  expect(found.places).toContain("a#1 verified");
  expect(found.places).toContain("hidden#0 verified");
  expect(found.places).toContain("crc#0 mismatched");
  expect(found.omissions).toEqual(["unsupported_method"]);
});

test("archives in archives are opened, whatever stands in front of the inner one", async () => {
  const inner = buildZip([{ name: "leaf", content: "x" }], { prefix: Buffer.concat([Buffer.from("Cr24"), u32(3), u32(4), u32(0)]) });
  const found = await inventoryOf(buildZip([{ name: "in.crx", content: inner, method: 8 }]), "out.apk");
  expect(found).toEqual({ format: "apk", places: [".#0 verified", "in.crx!/leaf#0 verified", "in.crx#0 verified"], anomalies: [], omissions: [] });
});
