import type { SubjectFormat } from "@rea/core";
import type { Format } from "../format.js";
import { isOpened } from "./format-titles.js";

let loading: Promise<ReadonlyMap<SubjectFormat, Format>> | undefined;

/**
 * The reader of a format; undefined where there is none. Readers and their codecs are most of the library, and many
 * artifacts need none of them: they are loaded with the first container.
 */
export async function readerOf(format: SubjectFormat): Promise<Format | undefined> {
  if (!isOpened(format)) return undefined;
  loading ??= import("./index.js").then(({ formats }) => new Map(formats.map((one) => [one.id, one])));
  return (await loading).get(format);
}
