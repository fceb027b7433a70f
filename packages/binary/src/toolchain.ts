import { findBytes } from "./byte-search.js";
import { goBuildIds } from "./go-image.js";
import type { BinaryImage, BuildId, FileRange } from "./image.js";

/** Who built the image, as far as its own marks tell; every mark is listed in `basis`. */
export interface Toolchain {
  readonly name: string;
  readonly version: string | undefined;
  readonly language: string | undefined;
  /** Fixed words; versions and names of the target are in the other members and in the build ids. */
  readonly basis: readonly string[];
}

/** The facts every rule looks at, gathered once. */
interface Marks {
  readonly image: BinaryImage;
  readonly ids: readonly BuildId[];
  readonly sections: ReadonlySet<string>;
  readonly libraries: readonly string[];
}

type Rule = (marks: Marks) => Toolchain | undefined;

/**
 * Infers the toolchain. Languages with a runtime of their own come first, because their programs also carry marks of the C
 * compiler that built that runtime. Undefined when no mark is known.
 */
export function guessToolchain(image: BinaryImage): Toolchain | undefined {
  const marks: Marks = {
    image,
    ids: [...image.buildIds().items, ...goBuildIds(image)],
    sections: new Set(image.sections().items.map((section) => section.name)),
    libraries: image.libraries().needed.map((library) => library.name.toLowerCase()),
  };
  for (const rule of rules) {
    const found = rule(marks);
    if (found !== undefined) return found;
  }
  return undefined;
}

const rules: readonly Rule[] = [go, dotnet, rust, swift, commented, applied, microsoft, mingw];

function idOf(marks: Marks, kind: string): BuildId | undefined {
  return marks.ids.find((id) => id.kind === kind);
}

function go(marks: Marks): Toolchain | undefined {
  const version = idOf(marks, "go-version");
  const basis = [
    ...(version === undefined ? [] : ["Go build information"]),
    ...(idOf(marks, "go-build-id") === undefined ? [] : ["Go build id note"]),
    ...(marks.sections.has(".gopclntab") || marks.sections.has("__gopclntab") ? ["Go line table section"] : []),
  ];
  if (basis.length === 0) return undefined;
  return { name: "Go", version: version?.value.replace(/^go/, ""), language: "Go", basis };
}

function dotnet(marks: Marks): Toolchain | undefined {
  const managed = idOf(marks, "managed");
  if (managed === undefined) return undefined;
  return { name: ".NET", version: managed.value === "" ? undefined : managed.value, language: "CIL", basis: ["CLR header"] };
}

const rustcComment = /^rustc version (\S+)/;

function rust(marks: Marks): Toolchain | undefined {
  const versions = commentsOf(marks).map((text) => rustcComment.exec(text)?.[1]);
  const version = versions.find((text) => text !== undefined);
  const named = marks.image.symbols().items.some((symbol) => /^_?_?(rust_eh_personality|rust_begin_unwind|__rust_alloc)$/.test(symbol.name));
  const path = version === undefined && !named && contains(marks.image, "/rustc/");
  const basis = [
    ...(version === undefined ? [] : ["compiler comment"]),
    ...(named ? ["Rust runtime symbol"] : []),
    ...(path ? ["source path of the Rust standard library"] : []),
  ];
  return basis.length === 0 ? undefined : { name: "rustc", version, language: "Rust", basis };
}

function swift(marks: Marks): Toolchain | undefined {
  const library = marks.libraries.some((name) => /(^|\/)(lib)?swiftcore\b/.test(name));
  const section = [...marks.sections].some((name) => name.startsWith("__swift5_") || name.startsWith("swift5_"));
  if (!library && !section) return undefined;
  const basis = [...(library ? ["Swift runtime library"] : []), ...(section ? ["Swift metadata section"] : [])];
  const tool = toolVersion(marks, "swift");
  return { name: "Swift", version: tool, language: "Swift", basis: tool === undefined ? basis : [...basis, "build tool record"] };
}

function commentsOf(marks: Marks): readonly string[] {
  return marks.ids.filter((id) => id.kind === "compiler-comment").map((id) => id.value);
}

/** Compilers by their comment. Clang first: start-up objects of the C library add a GCC comment to its programs. */
const commentRules: readonly (readonly [string, RegExp])[] = [
  ["Clang", /\bclang version (\d[\w.+~-]*)/],
  ["Zig", /^zig (\d[\w.+-]*)/],
  ["Intel C++", /^Intel\(R\).*Compiler.*?(\d+(?:\.\d+)+)/],
  ["GCC", /^GCC: .*?(\d+\.\d+(?:\.\d+)?)(?: \d{8}.*)?$/],
];

function commented(marks: Marks): Toolchain | undefined {
  const comments = commentsOf(marks);
  for (const [name, pattern] of commentRules) {
    for (const text of comments) {
      const match = pattern.exec(text.slice(0, 512));
      if (match !== null) return { name, version: match[1], ...language(marks, ["compiler comment"]) };
    }
  }
  return undefined;
}

function language(marks: Marks, basis: readonly string[]): Pick<Toolchain, "language" | "basis"> {
  const runtimes: readonly (readonly [RegExp, string, string])[] = [
    [/^libgfortran\b/, "Fortran", "Fortran runtime library"],
    [/(^|\/)(libstdc\+\+|libc\+\+|msvcp\d|libstdc\+\+-6)/, "C++", "C++ runtime library"],
    [/^libphobos|^libdruntime/, "D", "D runtime library"],
    [/^libobjc\b|\/libobjc\b/, "Objective-C", "Objective-C runtime library"],
  ];
  for (const [pattern, name, mark] of runtimes) {
    if (marks.libraries.some((library) => pattern.test(library))) return { language: name, basis: [...basis, mark] };
  }
  return { language: undefined, basis };
}

function toolVersion(marks: Marks, tool: string): string | undefined {
  const record = marks.ids.find((id) => id.kind === "build-tool" && id.value.toLowerCase().startsWith(`${tool} `));
  return record?.value.slice(tool.length + 1);
}

/** Mach-O: LC_BUILD_VERSION lists the tools with their versions. */
function applied(marks: Marks): Toolchain | undefined {
  if (marks.image.format !== "mach-o") return undefined;
  const clang = toolVersion(marks, "clang");
  if (clang !== undefined) return { name: "Apple Clang", version: clang, ...language(marks, ["build tool record"]) };
  const linker = toolVersion(marks, "ld");
  return linker === undefined ? undefined : { name: "Apple ld", version: linker, ...language(marks, ["build tool record"]) };
}

function microsoft(marks: Marks): Toolchain | undefined {
  if (marks.image.format !== "pe") return undefined;
  const rich = idOf(marks, "rich-header") !== undefined;
  const runtime = marks.libraries.some((name) => /^(vcruntime|msvcp|msvcr)\d+/.test(name));
  if (!rich && !runtime) return undefined;
  const linker = idOf(marks, "linker-version")?.value;
  const basis = [...(rich ? ["Rich header"] : []), ...(runtime ? ["Visual C++ runtime library"] : [])];
  return { name: "MSVC", version: linker, ...language(marks, linker === undefined ? basis : [...basis, "linker version"]) };
}

function mingw(marks: Marks): Toolchain | undefined {
  if (marks.image.format !== "pe") return undefined;
  const symbol = marks.image.symbols().items.some((item) => /^_{2,3}mingw_/.test(item.name));
  const runtime = marks.libraries.some((name) => /^(libgcc_s|libstdc\+\+-6|libwinpthread)/.test(name));
  const text = contains(marks.image, "Mingw-w64 runtime") || contains(marks.image, "GCC: (");
  if (!symbol && !runtime && !text) return undefined;
  const basis = [
    ...(symbol ? ["MinGW runtime symbol"] : []),
    ...(runtime ? ["MinGW runtime library"] : []),
    ...(text ? ["text of the MinGW runtime or of GCC"] : []),
  ];
  return { name: "GCC (MinGW)", version: undefined, ...language(marks, basis) };
}

const searchedBytes = 64 * 1024 * 1024;

/** Looks for a text in the read-only data, up to 64 MiB of it. */
function contains(image: BinaryImage, text: string): boolean {
  const pattern = Buffer.from(text, "latin1");
  let left = searchedBytes;
  for (const section of image.sections().items.slice(0, 512)) {
    if (section.file === undefined || (section.kind !== "rodata" && section.kind !== "data")) continue;
    const range: FileRange = { offset: section.file.offset, size: Math.min(section.file.size, left) };
    if (findBytes(image.source, range, pattern) !== undefined) return true;
    left -= range.size;
  }
  return false;
}
