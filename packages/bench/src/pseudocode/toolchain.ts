/** How a program for a machine is built, and how it is run here. */
export interface Toolchain {
  /** Command and first arguments of the compiler. */
  readonly compiler: readonly [string, ...string[]];
  /** What runs a program of the machine; empty where this machine does. */
  readonly runner: readonly string[];
}

const crossCompiler = "aarch64-linux-gnu-gcc";
const clang = "clang-19";
const crossRoot = "/usr/aarch64-linux-gnu";

/** Toolchains for `gcc` and `clang` on `x86_64` and `arm64`; the latter's programs run under qemu. Throws for others. */
export function toolchainFor(compiler: string, machine: string): Toolchain {
  if (compiler !== "gcc" && compiler !== "clang") throw new Error(`Compilers are gcc and clang, not ${compiler}.`);
  if (machine === "x86_64") return { compiler: [compiler === "gcc" ? "gcc" : clang], runner: [] };
  if (machine !== "arm64") throw new Error(`Machines are x86_64 and arm64, not ${machine}.`);
  const runner = ["qemu-aarch64-static", "-L", crossRoot];
  return compiler === "gcc" ? { compiler: [crossCompiler], runner } : { compiler: [clang, "--target=aarch64-linux-gnu"], runner };
}
