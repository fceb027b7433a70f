import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { hasProgram, output } from "./llvm-tools.js";

const objectiveC = `
__attribute__((objc_root_class)) @interface Root { id isa; } + (id)make; @end
@protocol Speak - (void)say:(id)what; @optional + (int)maybe; @property (readonly) int pitch; @end
@protocol Loud <Speak> - (void)shout; @end
@interface Dog : Root <Loud> { int legs; double weight; } @property (nonatomic) int age; - (int)bark:(int)n with:(int)m; + (id)create; @end
@implementation Root + (id)make { return 0; } @end
@implementation Dog
@synthesize age = _age;
- (int)bark:(int)n with:(int)m { return n + m + legs; }
+ (id)create { return [self make]; }
- (void)say:(id)what {}
- (void)shout {}
- (int)pitch { return 1; }
@end
@interface Dog (Tricks) - (int)roll; + (int)tricks; @end
@implementation Dog (Tricks) - (int)roll { return [self bark:1 with:2]; } + (int)tricks { return 3; } @end
@interface Elsewhere : Root @end
@interface Cat : Elsewhere @end
@implementation Cat - (void)meow { [Dog create]; } @end
`;

/** A class that is its own superclass and metaclass, with lists that claim more than there is. */
const looped = `
struct class { void *isa, *superclass, *cache, *table, *data; };
struct list { unsigned size, count; const void *entries[3]; };
struct protocols { unsigned long count; void *entries[2]; };
struct protocol { void *isa; const char *name; void *adopted, *methods[4], *properties; };
struct fixed { unsigned flags, start, size, reserved; void *layout; const char *name; void *methods, *protocols, *ivars, *weak, *properties; };
extern struct class loop;
extern struct protocol own;
struct list methods = { 24, 0x7fffffff, { "first", "v16@0:8", &loop } };
struct list tiny = { 4, 9, { 0, 0, 0 } };
struct protocols adopted = { 2, { &own, &own } };
struct protocol own = { 0, "Own", &adopted, { 0 }, 0 };
struct fixed fixed = { 0, 0, 8, 0, 0, "Loop", &methods, &adopted, &tiny, 0, &tiny };
struct class loop = { &loop, &loop, 0, 0, &fixed };
__attribute__((section("__DATA,__objc_classlist"), used)) void *classes[] = { &loop, &loop, (void *)0x123456789a };
__attribute__((section("__DATA,__objc_protolist"), used)) void *listed[] = { &own };
`;

/** Swift's records by hand: a module, a class with fields and a virtual table, a struct inside it, an enum, a protocol. */
const swift = `
.section __TEXT,__const
.p2align 2
Lmodule: .long 0
  .long 0
  .long Lmain - .
Lmain: .asciz "Main"
.p2align 2
Ldog: .long 0x80000050
  .long Lmodule - .
  .long Ldogname - .
  .long 0
  .long Ldogfields - .
  .long Lnsobject - .
  .long 3, 12, 4, 2, 10
  .long 8, 2
  .long 0x10
  .long _bark - .
  .long 0x1
  .long _make - .
Ldogname: .asciz "Dog"
Lnsobject: .asciz "So8NSObjectC"
.p2align 2
Linner: .long 0x51
  .long Ldog - .
  .long Linnername - .
  .long 0, 0, 0, 2
Linnername: .asciz "Collar"
.p2align 2
Lkind: .long 0x52
  .long Lself - .
  .long Linnername - .
  .long 0, 0, 0, 0
Lself: .long 0x51
  .long Lself - .
  .long Linnername - .
  .long 0, 0, 0, 0
Lspeak: .long 0x43
  .long Lmodule - .
  .long Lspeakname - .
  .long 0, 3, 0
Lspeakname: .asciz "Speak"
.p2align 2
Lconforms: .long Lspeak - .
  .long Ldog - .
  .long 0, 0
Lforeign: .long Lcell - . + 1
  .long Linner - .
  .long 0, 0
.section __TEXT,__swift5_fieldmd
.p2align 2
Ldogfields: .long 0, 0
  .short 1, 12
  .long 2
  .long 2
  .long Larray - .
  .long Lnames - .
  .long 0
  .long Lcollar - .
  .long Lone - .
Larray: .asciz "SaySSSgG"
Lcollar: .byte 1
  .long Linner - .
  .asciz "Sg"
Lnames: .asciz "names"
Lone: .asciz "collar"
.section __TEXT,__swift5_types
.p2align 2
.long Ldog - .
.long Linner - .
.long Lkind - .
.section __TEXT,__swift5_protos
.p2align 2
.long Lspeak - .
.section __TEXT,__swift5_proto
.p2align 2
.long Lconforms - .
.long Lforeign - .
.section __DATA,__const
.p2align 3
Lcell: .quad _$sSHMp
.text
.globl _bark
_bark: ret
_make: ret
`;

export interface MetadataSamples {
  readonly directory: string;
  readonly remove: () => void;
}

export const missing = ["clang-19", "ld64.lld-19", "llvm-objdump-19"].find((name) => !hasProgram(name));

const macos = (architecture: string) => ["-arch", architecture, "-platform_version", "macos", "11", "11", "-undefined", "dynamic_lookup", "-dylib"];

/** Objective-C files that the differential tests read. */
export const objcSamples = ["arm64.o", "x86_64.o", "armv7.o", "arm64.dylib", "x86_64.dylib", "chained.dylib", "relative.dylib"] as const;

export function buildMetadataSamples(): MetadataSamples | undefined {
  if (missing !== undefined) return undefined;
  const directory = mkdtempSync(path.join(tmpdir(), "metadata-"));
  const run = (program: string, ...args: readonly string[]) => output(program, args, directory);
  writeFileSync(path.join(directory, "objc.m"), objectiveC);
  writeFileSync(path.join(directory, "looped.c"), looped);
  writeFileSync(path.join(directory, "swift.s"), swift);
  for (const architecture of ["arm64", "x86_64"]) {
    run("clang-19", `--target=${architecture}-apple-macos11`, "-fobjc-runtime=macosx-11", "-O1", "-c", "objc.m", "-o", `${architecture}.o`);
    run("ld64.lld-19", ...macos(architecture), `${architecture}.o`, "-o", `${architecture}.dylib`);
  }
  run("clang-19", "--target=armv7-apple-ios9", "-fobjc-runtime=ios-9", "-O1", "-c", "objc.m", "-o", "armv7.o");
  run("ld64.lld-19", ...macos("arm64"), "-fixup_chains", "arm64.o", "-o", "chained.dylib");
  run("ld64.lld-19", ...macos("arm64"), "-objc_relative_method_lists", "arm64.o", "-o", "relative.dylib");
  for (const source of ["looped.c", "swift.s"]) {
    const name = path.parse(source).name;
    run("clang-19", "--target=arm64-apple-macos11", "-c", source, "-o", `${name}.o`);
    run("ld64.lld-19", ...macos("arm64"), `${name}.o`, "-o", `${name}.dylib`);
  }
  return { directory, remove: () => { rmSync(directory, { recursive: true, force: true }); } };
}
