import { join } from "node:path";
import { debianSources, type Fetched } from "../../corpus/fetch-sources.js";
import { ownSources } from "../../corpus/places.js";

/** One run of a program; what it prints, its exit status and the files it leaves are what counts. */
export interface ProgramTest {
  readonly args: readonly string[];
  /** A file that is given as standard input. */
  readonly input?: string;
}

/** A small program of others with sources, and runs that show whether it still does what it did. */
export interface RealProgram {
  readonly name: string;
  readonly sources: () => Promise<Fetched>;
  /** Below the sources. */
  readonly files: readonly string[];
  readonly flags: readonly string[];
  /** Folders of headers below the sources. */
  readonly headers: readonly string[];
  readonly tests: (root: string) => readonly ProgramTest[];
}

const checks = join(ownSources, "programs");
const zlib = ["adler32", "compress", "crc32", "deflate", "gzclose", "gzlib", "gzread", "gzwrite", "infback", "inffast", "inflate", "inftrees", "trees", "uncompr", "zutil"].map((name) => `${name}.c`);
const lua = "lapi lauxlib lbaselib lcode lcorolib lctype ldblib ldebug ldo ldump lfunc lgc linit liolib llex lmathlib lmem loadlib lobject lopcodes loslib lparser lstate lstring lstrlib ltable ltablib ltm lua lundump lutf8lib lvm lzio";

export const realPrograms: readonly RealProgram[] = [
  {
    name: "bzip2",
    sources: () => debianSources("bzip2"),
    files: ["blocksort.c", "huffman.c", "crctable.c", "randtable.c", "compress.c", "decompress.c", "bzlib.c", "bzip2.c"],
    flags: ["-D_FILE_OFFSET_BITS=64"],
    headers: ["."],
    // Its own `make test`, and what it says of bad input.
    tests: (root) => [
      ...["1", "2", "3"].flatMap((number) => [
        { args: [`-${number}`], input: join(root, `sample${number}.ref`) },
        { args: ["-d"], input: join(root, `sample${number}.bz2`) },
      ]),
      { args: ["-ds"], input: join(root, "sample2.bz2") },
      { args: ["-d"], input: join(root, "sample1.ref") },
      { args: ["-tvv"], input: join(root, "sample3.bz2") },
      { args: ["--help"] },
      { args: ["-9vc", join(root, "bzip2.c")] },
    ],
  },
  {
    name: "zlib example",
    sources: () => debianSources("zlib"),
    files: [...zlib, "test/example.c"],
    flags: ["-D_LARGEFILE64_SOURCE=1", "-DHAVE_UNISTD_H"],
    headers: ["."],
    tests: () => [{ args: [] }],
  },
  {
    name: "zlib minigzip",
    sources: () => debianSources("zlib"),
    files: [...zlib, "test/minigzip.c"],
    flags: ["-D_LARGEFILE64_SOURCE=1", "-DHAVE_UNISTD_H"],
    headers: ["."],
    tests: (root) => [
      ...["-1", "-6", "-9", "-h", "-r", "-f"].map((level) => ({ args: [level], input: join(root, "trees.h") })),
      { args: ["-d"], input: join(root, "deflate.c") },
      { args: ["-c", join(root, "inflate.c")] },
    ],
  },
  {
    name: "lua",
    sources: () => debianSources("lua5.4"),
    files: lua.split(" ").map((name) => `src/${name}.c`),
    flags: ["-DLUA_USE_POSIX"],
    headers: ["."],
    tests: () => [{ args: [join(checks, "checks.lua")] }, { args: ["-v", "-e", "print(#arg, ...)"] }, { args: ["-e", "error('x')"] }, { args: ["-", "a", "b"], input: join(checks, "checks.lua") }],
  },
  {
    name: "lz4",
    sources: () => debianSources("lz4"),
    files: ["lib/lz4.c", "lib/lz4hc.c", "lib/lz4frame.c", "lib/xxhash.c", "programs/bench.c", "programs/datagen.c", "programs/lz4io.c", "programs/lz4cli.c"],
    flags: ["-DXXH_NAMESPACE=LZ4_"],
    headers: ["lib", "programs"],
    tests: (root) => [
      ...["-1", "-3", "-9", "-12", "-BD", "-B4", "--no-frame-crc", "-l"].map((level) => ({ args: [level, "-c"], input: join(root, "lib", "lz4.c") })),
      { args: ["-d", "-c"], input: join(root, "lib", "lz4.c") },
      { args: ["-f", join(root, "lib", "lz4hc.c"), "out.lz4"] },
      { args: ["-h"] },
    ],
  },
];
