import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { artifactOfBytes, identify, openArtifact } from "./index.js";

describe("identify", () => {
  test("tells a container that opens from content that does not", () => {
    const packed = artifactOfBytes(gzipSync("x"), "x.gz");
    expect(identify(packed)).toMatchObject({ name: "x.gz", format: "gzip", kind: "container", opens: true });
    expect(identify(artifactOfBytes(new TextEncoder().encode("plain"), "a.txt"))).toMatchObject({ opens: false, bytes: 5, architecture: null });
    expect(identify(artifactOfBytes(new Uint8Array(0)))).toMatchObject({ bytes: 0, opens: false, title: null });
  });

  test("goes by content, not by name", () => {
    expect(identify(artifactOfBytes(gzipSync("x"), "x.zip")).format).toBe("gzip");
  });

  test("names the processor of an executable, and a directory", () => {
    const node = openArtifact(process.execPath);
    expect(identify(node)).toMatchObject({ kind: "executable", architecture: expect.stringMatching(/^(x86_64|arm64)$/u) });
    node.close();
    expect(identify(openArtifact(import.meta.dirname))).toMatchObject({ format: "directory", bytes: null, opens: true });
  });
});
