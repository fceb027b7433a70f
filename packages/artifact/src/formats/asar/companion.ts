import { isReaError } from "@rea/core";
import type { EntryContent, EntryName, ReaderInput, Unavailable } from "../../format.js";
import { sourceStream } from "../../reading/source-stream.js";

/** The content of an unpacked file, which lies in the directory `<archive>.unpacked` beside the archive. */
export function companionContent(name: EntryName, input: ReaderInput): EntryContent | Unavailable {
  const path = companionPath(name, input.containerName);
  if (path === undefined) return { reason: "missing_companion", why: "The file is unpacked, and its name cannot be looked up beside the archive." };
  const opened = openQuietly(path, input);
  if (opened === "unreadable") return { reason: "unreadable", why: "The unpacked file beside the archive cannot be read." };
  if (opened === undefined) return { reason: "missing_companion", why: "The file is unpacked and does not lie beside the archive." };
  return {
    stream: () => sourceStream(opened),
    random: () => ({ size: opened.size, read: (offset, length) => opened.read(offset, length), close: () => undefined }),
    close: () => {
      opened.close();
    },
  };
}

function openQuietly(path: string, input: ReaderInput): ReturnType<ReaderInput["openBeside"]> | "unreadable" {
  try {
    return input.openBeside(path);
  } catch (error) {
    if (isReaError(error) && error.code === "target_unavailable") return "unreadable";
    throw error;
  }
}

/** Undefined for names that could lead anywhere else. */
function companionPath({ text }: EntryName, containerName: string): string | undefined {
  if (text === undefined || containerName === "" || /[\0\\/]/.test(containerName)) return undefined;
  const isSafe = text.split("/").every((segment) => segment !== "" && segment !== "." && segment !== ".." && !/[\0\\]/.test(segment));
  return isSafe ? `${containerName}.unpacked/${text}` : undefined;
}
