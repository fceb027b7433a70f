import type { ByteSource } from "@rea/core";

/**
 * The bytes of another source, with `ask` called before each read: readers of tables ask for some kilobytes at a time, so
 * that what throws there stops them within a few thousand entries. A table is not kept then, but what its reader noted is:
 * the image over this source is to be dropped with it.
 */
export function watchedSource(source: ByteSource, ask: () => void): ByteSource {
  return {
    size: source.size,
    read(offset, length) {
      ask();
      return source.read(offset, length);
    },
  };
}
