import { isArchiveFormat } from "@rea/binary";
import { subjectFormats, type SubjectFormat } from "@rea/core";
import { formats } from "./index.js";

/** The formats that are opened, with what is read of each. */
export const artifactFormats: readonly { readonly id: SubjectFormat; readonly title: string; readonly notes: readonly string[] }[] = formats.map(
  ({ id, title, notes }) => ({ id, title, notes }),
);

const read = new Set<SubjectFormat>(formats.map(({ id }) => id));

/** Formats that hold other files, are recognised, and have no reader. */
export const unreadFormats: readonly SubjectFormat[] = subjectFormats.filter((format) => isArchiveFormat(format) && !read.has(format));
