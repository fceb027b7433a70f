import { corpusFile } from "@rea/testkit";
import { describe, expect, test } from "vitest";
import { call, failure, result, runtimeWith } from "./support.js";

/** A universal file, a library and programs that others built; each is told by its content. */
const samples = [
  ["fsevents@2.3.3", "fsevents.node", { format: "mach-o-universal", kind: "executable", architecture: "arm64", role: null }],
  ["@rollup/rollup-darwin-x64@4.68.8", "rollup.darwin-x64.node", { format: "mach-o", architecture: "x86_64" }],
  ["@rollup/rollup-win32-x64-msvc@4.68.8", "rollup.win32-x64-msvc.node", { format: "pe", role: "shared-library" }],
  ["7zip-bin@5.2.0", "win/x64/7za.exe", { format: "pe", role: "application", architecture: "x86_64" }],
  ["7zip-bin@5.2.0", "linux/arm64/7za", { format: "elf", architecture: "arm64" }],
] as const;

const real = () => runtimeWith({ providers: undefined, auxiliary: undefined, detect: undefined });

describe("real files", () => {
  test.for(samples)("%s %s opens as what it is and is bound to the embedded engine", async ([name, path, expected], context) => {
    const file = await corpusFile(name, path);
    if (file.state === "unavailable") return context.skip(file.reason);
    const service = real();
    const opened = await result(service, "open_binary", { path: file.path });
    expect(opened).toMatchObject({ ...expected, kind: "executable" });
    expect(opened.binding.provider.id).toBe("rea-native");
    await service.close();
  });

  test("a slice of a universal file is another target with its own Evidence", async (context) => {
    const file = await corpusFile("fsevents@2.3.3", "fsevents.node");
    if (file.state === "unavailable") return context.skip(file.reason);
    const service = real();
    const ids: string[] = [];
    for (const architecture of [undefined, "arm64", "x86_64"]) {
      const opened = await result(service, "open_binary", { path: file.path, ...(architecture ? { architecture } : {}) });
      expect(opened.available_architectures).toEqual(expect.arrayContaining(["arm64", "x86_64"]));
      const reply = await call(service, "list_segments");
      if (reply.ok && "evidence_id" in reply.value) ids.push(reply.value.evidence_id);
    }
    expect(ids).toHaveLength(3);
    expect(ids[0]).toBe(ids[1]);
    expect(ids[2]).not.toBe(ids[0]);
    const missing = await failure(service, "open_binary", { path: file.path, architecture: "mips" });
    expect(missing).toMatchObject({ code: "invalid_request", details: { issues: [{ path: "architecture" }] } });
    await service.close();
  });
});
