import { isArchiveFormat } from "@rea/binary";
import { subjectFormats, type SubjectFormat } from "@rea/core";
import { isOpened } from "./format-titles.js";

/** What is read of a container. */
export interface ArtifactFormat {
  readonly id: SubjectFormat;
  /** Name of the format as people write it. */
  readonly title: string;
  /** What is read of it and what is not, a sentence each. */
  readonly notes: readonly string[];
}

/** The formats that are opened, with what is read of each. Loads their readers. */
export async function artifactFormats(): Promise<readonly ArtifactFormat[]> {
  const { formats } = await import("./index.js");
  return formats.map(({ id, title, notes }) => ({ id, title, notes }));
}

/** Formats that hold other files, are recognised, and have no reader. */
export const unreadFormats: readonly SubjectFormat[] = subjectFormats.filter((format) => isArchiveFormat(format) && !isOpened(format));
