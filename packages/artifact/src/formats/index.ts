import type { Format } from "../format.js";
import { asar } from "./asar/index.js";
import { gzipFormat } from "./gzip/gzip-format.js";
import { bzip2Format } from "./bzip2/bzip2-format.js";
import { xzFormat } from "./xz/xz-format.js";
import { zstdFormat } from "./zstd/zstd-format.js";
import { lz4Format } from "./lz4/lz4-format.js";
import { lzmaFormat } from "./lzma/lzma-format.js";
import { tarFormat } from "./tar/tar-format.js";
import { arFormat, debFormat } from "./ar/ar-format.js";
import { cab } from "./cab/index.js";
import { ole } from "./ole/index.js";
import { cpioFormat } from "./cpio/cpio-format.js";
import { rpmFormat } from "./rpm/rpm-format.js";
import { isoFormat } from "./iso/iso-format.js";
import { sevenZip } from "./sevenzip/index.js";
import { squashfsFormat } from "./squashfs/squashfs-format.js";
import { universal } from "./universal/universal.js";
import { apfsFormat } from "./apfs/apfs-format.js";
import { dmgFormat } from "./dmg/dmg-format.js";
import { hfsPlusFormat } from "./hfsplus/hfsplus-format.js";
import { diskImageFormat } from "./partition/disk-image-format.js";
import { pbzxFormat } from "./xar/pbzx-format.js";
import { xarFormat } from "./xar/xar-format.js";
import { zipFormats } from "./zip/index.js";

/** Every container that is opened, in the order of the reference. */
export const formats: readonly Format[] = [...zipFormats, asar, tarFormat, gzipFormat, bzip2Format, xzFormat, zstdFormat, lz4Format, lzmaFormat, arFormat, debFormat, cpioFormat, rpmFormat, isoFormat, sevenZip, cab, ole, squashfsFormat, xarFormat, pbzxFormat, dmgFormat, diskImageFormat, hfsPlusFormat, apfsFormat, universal];
