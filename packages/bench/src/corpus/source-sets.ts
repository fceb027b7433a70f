import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { debianSources, npmSources, type Fetched } from "./fetch-sources.js";
import { ownSources } from "./places.js";
import { allLevels, type AbsentSources, type SourceSet } from "./source-set.js";

const own: readonly SourceSet[] = [
  {
    name: "features",
    language: "c",
    kind: "program",
    files: [join(ownSources, "features.c")],
    flags: [],
    freestanding: true,
    levels: allLevels,
  },
  {
    name: "features++",
    language: "c++",
    kind: "library",
    files: [join(ownSources, "features.cc")],
    flags: [],
    freestanding: true,
    levels: allLevels,
  },
];

interface Recipe {
  readonly name: string;
  readonly fetch: () => Promise<Fetched>;
  readonly sets: (root: string) => Promise<readonly SourceSet[]>;
}

const recipes: readonly Recipe[] = [
  {
    name: "bzip2",
    fetch: () => debianSources("bzip2"),
    sets: async (root) => {
      const library = ["blocksort", "huffman", "crctable", "randtable", "compress", "decompress", "bzlib"].map((file) => join(root, `${file}.c`));
      const base = { language: "c", flags: [], levels: allLevels } as const;
      return [
        { ...base, name: "bzip2", kind: "program", files: [...library, join(root, "bzip2.c")], freestanding: false },
        { ...base, name: "bz", kind: "library", files: library, flags: ["-DBZ_NO_STDIO"], freestanding: true, levels: ["-O2"] },
      ];
    },
  },
  {
    name: "lua",
    fetch: () => debianSources("lua5.4"),
    sets: async (root) => [
      { ...inC, name: "lua", kind: "program", files: await cFiles(join(root, "src"), ["luac.c"]), levels: allLevels },
    ],
  },
  {
    name: "minigzip",
    fetch: () => debianSources("zlib"),
    sets: async (root) => [
      {
        ...inC,
        name: "minigzip",
        kind: "program",
        files: [...(await cFiles(root, [])), join(root, "test", "minigzip.c")],
        flags: [`-I${root}`, "-DHAVE_UNISTD_H", "-DNO_FSEEKO"],
        levels: allLevels,
      },
    ],
  },
  {
    name: "lz4",
    fetch: () => debianSources("lz4"),
    sets: async (root) => [
      {
        ...inC,
        name: "lz4",
        kind: "program",
        files: [...(await cFiles(join(root, "lib"), [])), ...(await cFiles(join(root, "programs"), []))],
        flags: [`-I${join(root, "lib")}`],
        levels: ["-O2"],
      },
    ],
  },
  {
    name: "sqlite",
    fetch: () => npmSources("better-sqlite3@13.2.0", "sha512-Z8Q/9x/uNyKxA1v4FNodyItRVRw1TeKBrmj32JhxhR0ceNcBY+wMobt/Bv7M7TzwPAXjnZRtNaEsATnUZSKWZQ=="),
    sets: async (root) => {
      const files = [join(root, "deps", "sqlite3", "sqlite3.c")];
      const base = { language: "c", kind: "library", files, levels: ["-O2"] } as const;
      return [
        { ...base, name: "sqlite", flags: ["-DSQLITE_ENABLE_FTS5", "-DSQLITE_ENABLE_RTREE"], freestanding: false },
        {
          ...base,
          name: "sqlite-core",
          flags: ["-DSQLITE_OS_OTHER=1", "-DSQLITE_THREADSAFE=0", "-DSQLITE_OMIT_LOCALTIME", "-DSQLITE_OMIT_LOAD_EXTENSION", "-DSQLITE_DISABLE_LFS"],
          freestanding: true,
        },
      ];
    },
  },
  {
    name: "parser",
    fetch: () => npmSources("tree-sitter-javascript@0.25.0", "sha512-1fCbmzAskZkxcZzN41sFZ2br2iqTYP3tKls1b/HKGNPQUVOpsUxpmGxdN/wMqAk3jYZnYBR1dd/y/0avMeU7dw=="),
    sets: async (root) => [
      {
        ...inC,
        name: "parser",
        kind: "library",
        files: [join(root, "src", "parser.c"), join(root, "src", "scanner.c")],
        flags: [`-I${join(root, "src")}`],
        freestanding: false,
        levels: ["-O2"],
      },
    ],
  },
  {
    name: "leveldb",
    fetch: () => npmSources("classic-level@3.0.0", "sha512-yGy8j8LjPbN0Bh3+ygmyYvrmskVita92pD/zCoalfcC9XxZj6iDtZTAnz+ot7GG8p9KLTG+MZ84tSA4AhkgVZQ=="),
    sets: levelDb,
  },
];

const inC = { language: "c", flags: [], freestanding: false } as const;

async function levelDb(root: string): Promise<readonly SourceSet[]> {
  const base = join(root, "deps", "leveldb", "leveldb-1.20");
  const skipped = /(_test|db_bench|port_posix_sse|leveldbutil|testharness|testutil)\.cc$/;
  const files: string[] = [];
  for (const folder of ["db", "table", "util", "port"]) {
    const names = (await readdir(join(base, folder))).sort().filter((name) => name.endsWith(".cc") && !skipped.test(name));
    files.push(...names.map((name) => join(base, folder, name)));
  }
  const flags = [`-I${base}`, `-I${join(base, "include")}`, "-DOS_LINUX", "-DLEVELDB_PLATFORM_POSIX", "-w"];
  return [{ name: "leveldb", language: "c++", kind: "library", files, flags, freestanding: false, levels: ["-O2"] }];
}

async function cFiles(folder: string, without: readonly string[]): Promise<readonly string[]> {
  const names = (await readdir(folder)).sort().filter((name) => name.endsWith(".c") && !without.includes(name));
  return names.map((name) => join(folder, name));
}

/** Our own sources and those of packages, as far as they can be had. */
export async function collectSources(): Promise<{ readonly sets: readonly SourceSet[]; readonly absent: readonly AbsentSources[] }> {
  const sets: SourceSet[] = [...own];
  const absent: AbsentSources[] = [];
  for (const { name, fetch, sets: build } of recipes) {
    const fetched = await fetch();
    if ("reason" in fetched) absent.push({ name, reason: fetched.reason });
    else sets.push(...(await build(fetched.root)));
  }
  return { sets, absent };
}
