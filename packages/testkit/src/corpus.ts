import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/** A real file of a public package, or why it cannot be had on this machine. */
export type CorpusFile = { readonly state: "available"; readonly path: string } | { readonly state: "unavailable"; readonly reason: string };

/** Packages whose binaries tests read, pinned by the digest of the package file. */
export const corpusPackages = {
  "7zip-bin@5.2.0": "sha512-ukTPVhqG4jNzMro2qA9HSCSSVJN3aN7tlb+hfqYCt3ER0yWroeA2VR38MNrOHLQ/cVj+DaIMad0kFCtWWowh/A==",
  "@electron/windows-sign@1.2.2": "sha512-dfZeox66AvdPtb2lD8OsIIQh12Tp0GNCRUDfBHIKGpbmopZto2/A8nSpYYLoedPIHpqkeblZ/k8OV0Gy7PYuyQ==",
  "electron-winstaller@5.4.4": "sha512-j9ETcBGJaXxAY/b6UBpR7LZfjdU4BAO+yvr4ifqHEdyuc3UNCy91PDGkWKY5UQ4coHNYfnwFggrqD6QPeFGAlg==",
  "@esbuild/darwin-arm64@0.28.2": "sha512-n4KqkOQrraxHJcgjM1RvwbigfQKIKJVpM7xp+KsxiyUSrRdIXnt73VhrPAx0fV44hgfmIVKjxMN9J1t5jySVkw==",
  "@esbuild/linux-x64@0.28.2": "sha512-4xTZr1FUmSoQW4XIWmit3tzQrUTZM+N3P0XV8xROKYF50XfI7xeO90+1bZvNwxIufQ9hDQVRJH5YhgPVF8A/HQ==",
  "@esbuild/win32-ia32@0.28.2": "sha512-YmJbfTlvU7Sdn9BB+4PRES4oB6pxgS37MAONj+hBr/cpXS1aBPKXxNnDbu+QCWPj0o9dgyxeq79g6c5P8KeuYA==",
  "@esbuild/win32-x64@0.28.2": "sha512-5ebpxr3nWMzrL/rnUI755Jkuee0bHL/Gq0WTF9lvcpv73wAp5eu8MfBUgWK9bhWvZjj7yX8etf/8tI8Ney695g==",
  "fsevents@2.3.3": "sha512-5xoDfX+fL7faATnagmWPpbFtwh/R77WmMMqqHGS65C3vvB0YHrgF+B1YmZ3441tMj5n63k0212XNoJwzlhffQw==",
  "@rollup/rollup-darwin-arm64@4.68.8": "sha512-YmBUNjgm5bsjOByO+H1TFbuGZe+ZnHcYtPXYj9+L1cwTu/BG8zjuUzO2PH9KwS85P0UH+WJDSb+mQ2hqjp5uBQ==",
  "@rollup/rollup-darwin-x64@4.68.8": "sha512-XMX5ybuOmkwiM13KJtsBxakZ69pyaR9thRYU2fMejhaB0VuzLMIkIc+9TBsu2rv34eEf6XaSMOaLOyEgHGWHTQ==",
  "@rollup/rollup-win32-arm64-msvc@4.68.8": "sha512-Sc8Mkf/fVfcV0hBJNDRIM82BjS4kJn2Of0jP8dgQ+TodquxtCZ/5D6FgSsY3uN5IBmNi8Zrb/OHd60IEYKaw+Q==",
  "@rollup/rollup-win32-ia32-msvc@4.68.8": "sha512-XPTFXclN+I+Cfu3ONWDsw+uvgSZjTJa1B2u2EvtdKlSdgNU6mrOZdgeaMkvN+2T2KPTEXn6fnRY8IODlRg3/Tg==",
  "@rollup/rollup-win32-x64-gnu@4.68.8": "sha512-63dWiHgvpWcienfdr465lT3SIn4u3535vbDfaLKhSn0F2KJ06bbcUsewDGJZUPZCbJ67qESrPDhb85UnWdb5ew==",
  "@rollup/rollup-win32-x64-msvc@4.68.8": "sha512-/W1LBsMeQAdiCuH3Z2gkRspl3mlxL+butknhq4vXjmxO45vuT08BqhehxDoE4YS+m6s9lhpq6M9/PjTEAg8PYw==",
  "node-notifier@10.0.1": "sha512-YX7TSyDukOZ0g+gmzjB6abKu+hTGvO8+8+gIFDsRCU2t8fLV/P2unmt+LGFaIa4y64aX98Qksa97rgz4vMNeLQ==",
  "wallpaper@7.3.1": "sha512-b/CDiHLIShVTNJrVmlMm/2MSUKkJDIQGGmO88r78LUbZ8zOnUlKTDF3qiN3Agkbz1kEoAs8y3s5bruXwL+91nw==",
} as const;

export type CorpusPackage = keyof typeof corpusPackages;

const run = promisify(execFile);
const cacheDirectory = fileURLToPath(new URL("../../../node_modules/.cache/corpus/", import.meta.url));
const downloadMs = 300_000;
const staleLockMs = 600_000;
const waitMs = 100;

const started = new Map<CorpusPackage, Promise<CorpusFile>>();

/**
 * Absolute path of a file inside a pinned public package, counted from the package's root. The package comes once
 * through the npm client as it is configured and stays in the cache; concurrent test processes wait for each other.
 * An unreachable registry is an `unavailable` answer; a package with another digest, or without the file, is an error.
 */
export async function corpusFile(specification: CorpusPackage, pathInPackage: string): Promise<CorpusFile> {
  const fetching = started.get(specification) ?? fetchPackage(specification);
  started.set(specification, fetching);
  const root = await fetching;
  if (root.state === "unavailable") return root;
  const file = path.join(root.path, pathInPackage);
  await stat(file);
  return { state: "available", path: file };
}

async function fetchPackage(specification: CorpusPackage): Promise<CorpusFile> {
  const root = path.join(cacheDirectory, specification.replaceAll("/", "+"));
  await mkdir(cacheDirectory, { recursive: true });
  const release = await lock(`${root}.lock`);
  try {
    if (await exists(root)) return { state: "available", path: root };
    return await download(specification, root);
  } finally {
    await release();
  }
}

/** Downloads beside the final place and moves there at the end, so that the place is either whole or absent. */
async function download(specification: CorpusPackage, root: string): Promise<CorpusFile> {
  const work = await mkdtemp(path.join(cacheDirectory, "download-"));
  try {
    const packed = await pack(specification, work);
    if (packed.state === "unavailable") return packed;
    await verify(specification, packed.path);
    await run("tar", ["-xzf", packed.path, "-C", work], { timeout: downloadMs });
    await rename(path.join(work, "package"), root);
    return { state: "available", path: root };
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function pack(specification: CorpusPackage, directory: string): Promise<CorpusFile> {
  try {
    await run("npm", ["pack", specification, "--pack-destination", directory, "--silent"], { timeout: downloadMs });
  } catch {
    return { state: "unavailable", reason: `the package ${specification} could not be downloaded` };
  }
  const archive = (await readdir(directory)).find((name) => name.endsWith(".tgz"));
  if (archive === undefined) return { state: "unavailable", reason: `npm left no file for ${specification}` };
  return { state: "available", path: path.join(directory, archive) };
}

async function verify(specification: CorpusPackage, archive: string): Promise<void> {
  const digest = createHash("sha512").update(await readFile(archive)).digest("base64");
  if (`sha512-${digest}` !== corpusPackages[specification]) throw new Error(`${specification} does not have the pinned digest`);
}

/** A directory is created by exactly one process; one left behind by a killed process expires. */
async function lock(directory: string): Promise<() => Promise<void>> {
  for (;;) {
    if (await created(directory)) return () => rm(directory, { recursive: true, force: true });
    const age = Date.now() - (await modified(directory));
    if (age > staleLockMs) await rm(directory, { recursive: true, force: true });
    else await delay(waitMs);
  }
}

async function created(directory: string): Promise<boolean> {
  try {
    await mkdir(directory);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}

async function modified(entry: string): Promise<number> {
  try {
    return (await stat(entry)).mtimeMs;
  } catch {
    return Date.now();
  }
}

async function exists(entry: string): Promise<boolean> {
  try {
    await stat(entry);
    return true;
  } catch {
    return false;
  }
}
