import { existsSync } from "node:fs";

/** Commands that take files and programs as they are: nothing of them is analysed, so no thread is to read ahead. */
const withoutAnalysis = /^(?:cache$|capture-|compare$|compare-(?:artifacts|process|web)|cross-check$|decode-|evidence-|extract-|inspect-(?:artifact|asset|keyed|plist)|replay-|run-|verify-)/;

/**
 * Those words of a command line that may name a file for the embedded engine to read while the rest is loaded. None where
 * another engine was asked for, and none where a snapshot may answer: then no engine is to start.
 */
export function wordsToReadAhead([command = "", ...words]: readonly string[]): readonly string[] {
  if (withoutAnalysis.test(command)) return [];
  const provider = optionValue(words, "--provider");
  if (provider !== undefined && provider !== "auto" && provider !== "rea-native") return [];
  const snapshot = optionValue(words, "--snapshot");
  return snapshot !== undefined && existsSync(snapshot) ? [] : words;
}

function optionValue(words: readonly string[], name: string): string | undefined {
  const at = words.findIndex((word) => word === name || word.startsWith(`${name}=`));
  const word = words[at];
  if (word === undefined) return undefined;
  return word === name ? words[at + 1] : word.slice(name.length + 1);
}
