import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { memorySource } from "@rea/core";
import { debugInformation, type DebugInformation } from "../../src/dwarf/debug/index.js";
import { openImage } from "../../src/open-image.js";

/** Types that compilers lay out in every way that layouts have. */
export const layoutSource = `
#include <stddef.h>
struct inner { char c; double d; short s[3]; };
union either { int i; float f; struct inner n; };
enum colour { RED, GREEN = 5, BLUE = -1 };
typedef struct node { struct node *next; unsigned a : 3, b : 7; long long q : 40; enum colour colour; union either u; int (*call)(const char *, ...); char name[16]; } node_t;
struct __attribute__((packed)) tight { char c; int i; struct inner n; };
struct matrix { float cells[3][4]; const volatile int *const p; _Bool flag; long double wide; struct { int x, y; }; char rest[]; };
node_t global_node; struct tight global_tight; struct matrix global_matrix; int counters[12];
__attribute__((noinline)) double mean(const double *values, unsigned count) { double sum = 0; for (unsigned i = 0; i < count; i++) sum += values[i]; return count ? sum / count : 0; }
int add(int first, int second) { return first + second; }
int main(int argc, char **argv) { double v[3] = {1, 2, argc}; global_node.b = argc; global_matrix.flag = 1; global_tight.i = 3; counters[argc] = 2; return add(argc, (int)mean(v, argc)); }
`;

export const layoutTypes = ["struct node", "struct inner", "union either", "struct tight", "struct matrix"] as const;

/** A folder for one test file; `remove` ends it. */
export class DebugRoom {
  readonly folder = mkdtempSync(path.join(tmpdir(), "rea-dwarf-"));

  /** The program's file, or undefined when the compiler is missing or refuses. */
  build(compiler: string, args: readonly string[], { name, text }: { readonly name: string; readonly text: string }): string | undefined {
    const source = path.join(this.folder, name);
    const target = path.join(this.folder, `${name}-${compiler}${args.join("")}`.replaceAll(/[^\w.-]/g, "_"));
    writeFileSync(source, text);
    try {
      execFileSync(compiler, [...args, "-o", target, source], { stdio: "ignore", cwd: this.folder });
      return target;
    } catch {
      return undefined;
    }
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export function informationOf(bytes: Uint8Array): DebugInformation | undefined {
  return debugInformation(openImage(memorySource(bytes)));
}

export function informationOfFile(file: string): DebugInformation {
  const found = informationOf(readFileSync(file));
  if (found === undefined) throw new Error("the sample has no debug information");
  return found;
}
