import { join } from "node:path";
import { freestandingHeaders } from "./places.js";

export type Format = "elf" | "pe" | "macho";

/** A compiler with the linker and the tools of its target. */
export interface Toolchain {
  readonly id: string;
  readonly format: Format;
  /** A C library with headers is there; otherwise only what needs none of its own can be built. */
  readonly hosted: boolean;
  readonly c: readonly string[];
  /** Undefined where C++ cannot be compiled; its standard library's headers exist only for `hostedCxx`. */
  readonly cxx?: readonly string[];
  readonly hostedCxx?: boolean;
  /** Programs without which nothing can be built. */
  readonly needs: readonly string[];
  readonly link: (request: LinkRequest) => readonly (readonly string[])[];
  readonly strip: string;
  readonly objdump: string;
}

export interface LinkRequest {
  readonly objects: readonly string[];
  readonly output: string;
  readonly kind: "program" | "library";
  readonly cxx: boolean;
  /** Keep relocations in the linked file, where the linker can. */
  readonly relocations: boolean;
  /** Link for one address. */
  readonly fixed?: boolean;
}

const freestanding = ["-ffreestanding", "-nostdinc++", "-isystem", freestandingHeaders];

/** Linked by the compiler's own driver. */
function driver(c: readonly string[], cxx: readonly string[] | undefined, emitsRelocations: boolean): Toolchain["link"] {
  return ({ objects, output, kind, relocations, fixed, ...wants }) => [
    [
      ...(wants.cxx ? (cxx ?? c) : c),
      ...(kind === "library" ? ["-shared"] : []),
      // Calls inside the library stay inside it.
      ...(kind === "library" && emitsRelocations ? ["-Wl,-Bsymbolic"] : []),
      ...(fixed === true ? ["-no-pie"] : []),
      ...(relocations && emitsRelocations ? ["-Wl,--emit-relocs"] : []),
      "-o",
      output,
      ...objects,
      ...(emitsRelocations && kind === "program" ? ["-lm", "-lpthread"] : []),
    ],
  ];
}

function elf(id: string, names: Pick<Toolchain, "c" | "cxx" | "needs" | "hostedCxx"> & { readonly linker?: readonly string[] }, prefix = ""): Toolchain {
  return {
    id,
    format: "elf",
    hosted: true,
    ...names,
    link: driver(names.linker ?? names.c, names.linker ?? names.cxx, true),
    strip: `${prefix}strip`,
    objdump: prefix === "" ? "objdump" : "llvm-objdump-19",
  };
}

function mingw(id: string, prefix: string): Toolchain {
  const c = [`${prefix}-gcc`];
  return { id, format: "pe", hosted: true, c, needs: c, link: driver(c, undefined, false), strip: `${prefix}-strip`, objdump: "llvm-objdump-19" };
}

const llvmTools = ["clang-19", "llvm-nm-19", "llvm-objdump-19", "llvm-strip-19"];

/** Windows code without a Windows SDK: what is undefined is imported from a library that exists in name only. */
function windows(id: string, target: string, machine: string): Toolchain {
  const clang = [`--target=${target}`, ...freestanding];
  return {
    id,
    format: "pe",
    hosted: false,
    c: ["clang-19", ...clang],
    cxx: ["clang++-19", ...clang, "-fexceptions", "-fcxx-exceptions"],
    needs: [...llvmTools, "lld-link-19", "llvm-dlltool-19"],
    link: ({ objects, output, kind }) => [
      ["sh", "-c", `(echo LIBRARY runtime.dll; echo EXPORTS; llvm-nm-19 -u -j "$@" | grep -v ':$' | sort -u) > "$0.def"`, output, ...objects],
      ["llvm-dlltool-19", "-m", machine, "-d", `${output}.def`, "-l", `${output}.lib`],
      [
        "lld-link-19",
        ...(kind === "program" ? ["/entry:main", "/subsystem:console"] : ["/dll", "/noentry"]),
        "/nodefaultlib",
        "/debug:symtab",
        "/opt:noref",
        `/out:${output}`,
        ...objects,
        `${output}.lib`,
      ],
    ],
    strip: "llvm-strip-19",
    objdump: "llvm-objdump-19",
  };
}

/** Apple code without an Apple SDK: what is undefined is looked up when the program starts. */
function apple(id: string, architecture: string, starts: boolean): Toolchain {
  const clang = [`--target=${architecture}-apple-macos11`, ...freestanding];
  return {
    id,
    format: "macho",
    hosted: false,
    c: ["clang-19", ...clang],
    cxx: ["clang++-19", ...clang],
    needs: [...llvmTools, "ld64.lld-19"],
    link: ({ objects, output, kind }) => [
      [
        "ld64.lld-19",
        "-arch",
        architecture,
        ...["-platform_version", "macos", "11", "11", "-undefined", "dynamic_lookup"],
        ...(kind === "library" ? ["-dylib"] : ["-exported_symbol", "_main"]),
        ...(starts ? [] : ["-no_function_starts"]),
        "-o",
        output,
        ...objects,
      ],
    ],
    strip: "llvm-strip-19",
    objdump: "llvm-objdump-19",
  };
}

const a64 = "aarch64-linux-gnu-";

export const toolchains: readonly Toolchain[] = [
  elf("gcc", { c: ["gcc"], cxx: ["g++"], hostedCxx: true, needs: ["gcc", "objdump", "readelf"] }),
  elf("clang", { c: ["clang-19"], cxx: ["clang++-19"], hostedCxx: true, needs: ["clang-19", "objdump", "readelf"] }),
  elf("a64gcc", { c: [`${a64}gcc`], needs: [`${a64}gcc`, "llvm-objdump-19", "readelf"] }, a64),
  elf(
    "a64clang",
    {
      c: ["clang-19", "--target=aarch64-linux-gnu"],
      cxx: ["clang++-19", "--target=aarch64-linux-gnu"],
      linker: [`${a64}gcc`],
      needs: ["clang-19", `${a64}gcc`, "llvm-objdump-19", "readelf"],
    },
    a64,
  ),
  mingw("mingw64", "x86_64-w64-mingw32"),
  mingw("mingw32", "i686-w64-mingw32"),
  windows("win-x64", "x86_64-pc-windows-msvc", "i386:x86-64"),
  windows("win-arm64", "aarch64-pc-windows-msvc", "arm64"),
  apple("mac-arm64", "arm64", true),
  apple("mac-arm64-nostarts", "arm64", false),
  apple("mac-x64", "x86_64", true),
  apple("mac-x64-nostarts", "x86_64", false),
];

/** The file name a linker is asked for. */
export function outputName(directory: string, { format }: Toolchain): string {
  return join(directory, format === "pe" ? "linked.exe" : "linked");
}
