import { listArchitectures } from "@rea/binary";
import { omission, sourceSlice } from "@rea/core";
import { defineFormat, type Entry } from "../../format.js";
import { sourceStream } from "../../reading/source-stream.js";

/** Slices of a universal Mach-O (mach-o/fat.h), named by architecture. */
export const universal = defineFormat({
  id: "mach-o-universal",
  title: "Universal Mach-O",
  notes: ["Each slice is a member of its own."],
  relation: "slice-of",
  access: "random",
  async *entries(source, { report }) {
    const { architectures, coverage } = listArchitectures(source);
    for (const left of coverage.omissions) report.omission(left);
    for (const { architecture, cpu_type, offset, size } of architectures) {
      const name = architecture ?? cpu_type ?? "unknown";
      if (offset + size > source.size) {
        report.omission(omission("A slice reaches past the end of the file.", "malformed", { count: 1 }));
        continue;
      }
      const content = sourceSlice(source, offset, size);
      const entry: Entry = {
        name: { bytes: Buffer.from(name), text: name },
        kind: "slice",
        declaredBytes: size,
        compressedBytes: null,
        location: { offset, length: size },
        encrypted: false,
        linkTarget: null,
        executable: true,
        checks: [{ kind: "size", bytes: size }],
        limitations: [],
        content: {
          stream: () => sourceStream(content),
          random: () => ({ size: content.size, read: (at, length) => content.read(at, length), close: () => undefined }),
        },
      };
      yield await Promise.resolve(entry);
    }
  },
});
