import { realpath, stat } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { escapeUntrusted, type LocalPath } from "@rea/core";
import { pageUrl } from "../page/page-text.js";

/** Most different files that are looked up. */
export const mostPaths = 2000;

/** The files that `file:` URLs lead to, each URL once and in order; links are followed, nothing is read. */
export async function localPaths(urls: Iterable<string>): Promise<LocalPath[]> {
  const different = [...new Set([...urls].filter((url) => /^file:/i.test(url)).map(withoutQuery))].sort();
  const found: LocalPath[] = [];
  for (const url of different.slice(0, mostPaths)) found.push({ url: pageUrl(url), ...(await lookUp(url)) });
  return found;
}

async function lookUp(url: string): Promise<Omit<LocalPath, "url">> {
  const path = pathOf(url);
  if (path === undefined) return { path: null, state: "unreadable" };
  // What is packed has a path that leads through the archive; the archive is what is on the disk.
  const archive = /^(.*\.asar)[\\/]/s.exec(path)?.[1];
  try {
    const canonical = await realpath(archive ?? path);
    const isDirectory = (await stat(canonical)).isDirectory();
    if (archive !== undefined && !isDirectory) return { path: escapeUntrusted(canonical + path.slice(archive.length)), state: "inside_archive" };
    return { path: escapeUntrusted(archive === undefined ? canonical : canonical + path.slice(archive.length)), state: isDirectory ? "directory" : "file" };
  } catch (error) {
    const missing = error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");
    return { path: null, state: missing ? "missing" : "unreadable" };
  }
}

/** Undefined for a URL of another host, or one with characters that no path has. */
function pathOf(url: string): string | undefined {
  try {
    return fileURLToPath(url);
  } catch {
    return undefined;
  }
}

function withoutQuery(url: string): string {
  return url.replace(/[?#].*$/s, "");
}
