import { omission } from "@rea/core";
import { defineFormat } from "../../format.js";
import { blockCodec, compressionName } from "./block-codecs.js";
import { SquashImage } from "./squash-image.js";
import { SquashWalk } from "./squash-walk.js";
import { readSuperblock } from "./superblock.js";

/** SquashFS 4.0 (Linux `Documentation/filesystems/squashfs.rst` and the on-disk structures it describes). */
export const squashfsFormat = defineFormat({
  id: "squashfs",
  title: "SquashFS",
  notes: [
    "Version 4 is read: directories, files with fragments and holes, links, devices; files with several names become hard links.",
    "Blocks compressed with gzip, xz, LZMA, zstd and LZ4 are decoded; LZO and versions 1 to 3 are not.",
    "Bytes of the data area that belong to no file, inodes that no directory shows and data behind the image are told.",
    "Extended attributes, owners and times are not listed.",
  ],
  access: "random",
  async *entries(source, input) {
    const answer = readSuperblock(source);
    if (answer.kind === "malformed") {
      input.report.omission(omission(answer.why, "malformed"));
      return;
    }
    if (answer.kind === "other_version") {
      input.report.omission(omission(`SquashFS of version ${String(answer.version)}; version 4 in little-endian order is read.`, "unsupported_format", { count: 1 }));
      return;
    }
    const { superblock } = answer;
    const codec = blockCodec(superblock.compression);
    if (codec === undefined) {
      input.report.omission(omission(`SquashFS blocks compressed with ${compressionName(superblock.compression)}.`, "unsupported_method", { count: 1 }));
      return;
    }
    if (!superblock.blockSizeAgrees) {
      input.report.anomaly({
        anomaly: "ambiguous_header",
        offset: 12,
        detail: "The block size and its logarithm in the superblock do not agree.",
        effect: "Readers that go by one of them cut files elsewhere than those that go by the other.",
      });
    }
    const image = new SquashImage(source, { superblock, codec, signal: input.signal });
    image.checkTables(input);
    yield* new SquashWalk(image, input).entries();
  },
});
