import type { Address, ByteSource, Omission } from "@rea/core";

/**
 * The one model all readers fill: what an executable file declares, with where each fact stands in the file.
 * Tables are computed on first use and never throw for damaged input: they hold what was readable plus omissions.
 */
export type ImageFormat = "elf" | "pe" | "mach-o" | "raw";
export type Architecture =
  | "x86"
  | "x86_64"
  | "arm"
  | "arm64"
  | "riscv64"
  | "mips"
  | "mips64"
  | "powerpc"
  | "powerpc64";

/** Rows of a table that may be incomplete. */
export interface Table<T> {
  readonly items: readonly T[];
  readonly omissions: readonly Omission[];
}

export interface FileRange {
  readonly offset: number;
  readonly size: number;
}

export interface ImageHeader {
  /** As the format's documents call it, e.g. `EM_X86_64`, `IMAGE_FILE_MACHINE_AMD64`, `CPU_TYPE_ARM64`. */
  readonly machine: string;
  /** `ET_DYN`, `IMAGE_FILE_EXECUTABLE_IMAGE`/`DLL`, `MH_EXECUTE`, … */
  readonly type: string;
  readonly flags: readonly string[];
  readonly interpreter: string | undefined;
  readonly subsystem: string | undefined;
  /** As declared; `utc` is RFC 3339 where it reads as a time. */
  readonly timestamp: { readonly raw: string; readonly utc: string | undefined } | undefined;
  readonly file: FileRange;
}

/** A load-time mapped range. */
export interface Segment {
  readonly name: string;
  readonly va: Address;
  readonly virtualSize: bigint;
  /** Part backed by the file; size 0 for zero-fill. */
  readonly file: FileRange;
  readonly readable: boolean;
  readonly writable: boolean;
  readonly executable: boolean;
  readonly flags: readonly string[];
}

/** A link-time range. */
export interface Section {
  readonly name: string;
  /** Undefined for sections that are not mapped. */
  readonly va: Address | undefined;
  readonly virtualSize: bigint;
  readonly file: FileRange | undefined;
  readonly flags: readonly string[];
  readonly kind: "code" | "data" | "rodata" | "bss" | "debug" | "metadata" | "other";
  readonly segment: string | undefined;
}

export interface ImageSymbol {
  readonly name: string;
  /** Undefined for undefined (imported) symbols and for absolute or file symbols without an address. */
  readonly va: Address | undefined;
  readonly size: bigint;
  readonly type: "function" | "object" | "section" | "file" | "tls" | "indirect-function" | "none" | "other";
  readonly binding: "local" | "global" | "weak" | "other";
  readonly defined: boolean;
  readonly section: string | undefined;
  /** `symtab`, `dynsym`, `coff`, `nlist`. */
  readonly table: string;
  readonly version: string | undefined;
  /** ELF: false for a definition that only old programs bind to (`name@VERSION`); undefined where nothing is said. */
  readonly defaultVersion?: boolean | undefined;
  readonly library: string | undefined;
  readonly file: FileRange;
}

export interface ImportedSymbol {
  readonly name: string | undefined;
  readonly library: string | undefined;
  readonly ordinal: number | undefined;
  readonly version: string | undefined;
  /** Slots (GOT, IAT, symbol pointers) the loader fills with it. */
  readonly slots: readonly Address[];
  /** Code stubs (PLT entries, `__stubs`) that jump through a slot, where the format locates them. */
  readonly stubs: readonly Address[];
  readonly binding: "global" | "weak" | "other";
  readonly type: "function" | "object" | "other";
  readonly delayed: boolean;
  readonly file: FileRange | undefined;
}

export interface ExportedSymbol {
  readonly name: string | undefined;
  readonly va: Address | undefined;
  readonly ordinal: number | undefined;
  readonly version: string | undefined;
  /** ELF: false for a definition that only old programs bind to (`name@VERSION`); undefined where nothing is said. */
  readonly defaultVersion?: boolean | undefined;
  readonly forwarder: string | undefined;
  readonly binding: "global" | "weak" | "other";
  readonly type: "function" | "object" | "other";
  readonly file: FileRange | undefined;
}

export interface Relocation {
  readonly va: Address;
  /** Name as in the format's documents, e.g. `R_X86_64_RELATIVE`, `IMAGE_REL_BASED_DIR64`, `chained-rebase`. */
  readonly type: string;
  readonly section: string;
  readonly symbol: string | undefined;
  /** Address the pointer holds after relocation, where it points into this image. */
  readonly target: Address | undefined;
  readonly addend: bigint | undefined;
}

export interface NeededLibrary {
  readonly name: string;
  /** `needed`, `import`, `load-dylib`, `weak-dylib`, `reexport-dylib`, … */
  readonly kind: string;
  readonly version: string | undefined;
  readonly delayed: boolean;
}

export interface EntryPoint {
  readonly va: Address;
  readonly kind: "entry" | "init" | "fini" | "init-array" | "fini-array" | "tls-callback";
  /** True where the loader calls the address as the program's `main` (Mach-O `LC_MAIN`). */
  readonly isMain?: boolean;
}

/** A code range that an unwind table or function-starts list describes. */
export interface UnwindRange {
  readonly start: Address;
  /** Undefined where the table holds starts only. */
  readonly end: Address | undefined;
  readonly source: "eh_frame" | "debug_frame" | "arm-exidx" | "pdata" | "unwind-info" | "function-starts";
  /** PE chained unwind info and the like: a part of the function starting at `primary`. */
  readonly primary: Address | undefined;
  /** Language-specific data (landing pads) where given. */
  readonly lsda: Address | undefined;
}

export interface BuildId {
  /** `gnu-build-id`, `go-build-id`, `macho-uuid`, `pe-debug-guid`, `compiler-comment`, `rich-header`, `pdb-path`, `go-version`, … */
  readonly kind: string;
  readonly value: string;
  readonly detail: string | undefined;
  readonly file: FileRange | undefined;
}

export interface Mitigation {
  readonly name:
    | "pie"
    | "nx"
    | "relro"
    | "canary"
    | "fortify"
    | "cfi"
    | "cet"
    | "aslr"
    | "high_entropy_aslr"
    | "dep"
    | "guard_cf"
    | "safe_seh"
    | "hardened_runtime"
    | "library_validation"
    | "stripped";
  readonly state: "enabled" | "disabled" | "not_applicable" | "unknown" | "none" | "partial" | "full";
  readonly basis: string;
}

export interface Anomaly {
  readonly kind: string;
  /** Fixed words and numbers; never names taken from the file. */
  readonly detail: string;
  readonly offset: number | undefined;
}

export interface Libraries {
  readonly needed: readonly NeededLibrary[];
  readonly runPaths: readonly { readonly path: string; readonly kind: string }[];
  /** SONAME, PE export name, LC_ID_DYLIB. */
  readonly ownName: string | undefined;
  readonly omissions: readonly Omission[];
}

/** A code signature's place: `macho-code-signature`, `authenticode`. */
export interface SignatureLocation {
  readonly kind: string;
  readonly file: FileRange;
}

/** One executable image: a whole ELF or PE file, or one slice of a universal Mach-O. */
export interface BinaryImage {
  readonly format: ImageFormat;
  readonly architecture: Architecture | undefined;
  readonly bits: 32 | 64;
  readonly endian: "little" | "big";
  /** Lowest mapped address by design: ELF lowest PT_LOAD page, PE ImageBase, Mach-O __TEXT. */
  readonly imageBase: Address;
  readonly header: ImageHeader;
  /** Bytes of this image (the slice for a universal file); all file offsets in the model count from its start. */
  readonly source: ByteSource;
  /** Where `source` starts in the file on disk; add it to show file offsets. */
  readonly sourceOffset: number;

  segments(): Table<Segment>;
  sections(): Table<Section>;
  symbols(): Table<ImageSymbol>;
  imports(): Table<ImportedSymbol>;
  exports(): Table<ExportedSymbol>;
  relocations(): Table<Relocation>;
  libraries(): Libraries;
  entryPoints(): Table<EntryPoint>;
  unwindRanges(): Table<UnwindRange>;
  buildIds(): Table<BuildId>;
  mitigations(): Table<Mitigation>;
  signatures(): Table<SignatureLocation>;
  anomalies(): Table<Anomaly>;
  /** First byte after everything the headers account for, or undefined when nothing follows. */
  overlay(): FileRange | undefined;
}
