import path from "node:path";
import { corpusFile, type CorpusFile } from "./corpus.js";

/**
 * A real application bundle for macOS as Xcode built it, small and under the MIT licence: Info.plist, a compiled nib, an
 * OpenStep strings file and an x86-64 program with Objective-C metadata.
 */
export async function appleApp(): Promise<CorpusFile> {
  const file = await corpusFile("node-notifier@10.0.1", "vendor/mac.noindex/terminal-notifier.app/Contents/Info.plist");
  return file.state === "available" ? { ...file, path: path.dirname(path.dirname(file.path)) } : file;
}
