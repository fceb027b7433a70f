import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export interface RunnableHost {
  readonly platform: NodeJS.Platform;
  readonly arch: string;
  /** Where Linux lists the formats it hands to interpreters (binfmt_misc). */
  readonly registered: string;
}

const thisHost: RunnableHost = { platform: process.platform, arch: process.arch, registered: "/proc/sys/fs/binfmt_misc" };

/** ELF machines that a kernel runs itself, by Node's name of the architecture (ELF gABI, e_machine). */
const machines: { readonly [arch: string]: readonly number[] } = {
  x64: [62, 3],
  ia32: [3],
  arm64: [183, 40],
  arm: [40],
  riscv64: [243],
  loong64: [258],
  mips64el: [8],
  mipsel: [8],
  ppc64: [21],
  s390x: [22],
};

/**
 * Whether the system itself can run a file with this start, at least 64 bytes of it. What it cannot run is refused by us,
 * because the C library's exec then runs the file as a shell script, whatever its bytes are.
 */
export function isRunnableHeader(start: Buffer, host: RunnableHost = thisHost): boolean {
  switch (host.platform) {
    case "linux":
    case "android":
      return isOwnElf(start, host.arch) || isRegistered(start, host.registered);
    case "darwin":
      return [0xfeedface, 0xfeedfacf, 0xcefaedfe, 0xcffaedfe, 0xcafebabe].includes(start.length < 4 ? 0 : start.readUInt32BE(0));
    default:
      return start.length > 0;
  }
}

/** What the loader of Linux asks of a header: ELF gABI, type EXEC or DYN, known machine, a usable program header table. */
function isOwnElf(start: Buffer, arch: string): boolean {
  if (start.length < 52 || start.toString("latin1", 0, 4) !== "\x7fELF") return false;
  const wide = start[4] === 2;
  if (wide && start.length < 64) return false;
  const little = start[5] === 1;
  const half = (offset: number): number => (little ? start.readUInt16LE(offset) : start.readUInt16BE(offset));
  const entryBytes = half(wide ? 54 : 42);
  const entries = half(wide ? 56 : 44);
  return (
    [2, 3].includes(half(16)) &&
    (machines[arch] ?? []).includes(half(18)) &&
    entryBytes === (wide ? 56 : 32) &&
    entries > 0 &&
    entries * entryBytes <= 65_536
  );
}

/** Formats that the host gives to an interpreter, as foreign executables to an emulator (binfmt_misc.rst). */
function isRegistered(start: Buffer, directory: string): boolean {
  return entriesOf(directory).some((text) => {
    const field = (name: string): string | undefined => new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1];
    const magic = field("magic");
    if (!/^enabled$/m.test(text) || magic === undefined) return false;
    const wanted = Buffer.from(magic, "hex");
    const mask = Buffer.from(field("mask") ?? "ff".repeat(wanted.length), "hex");
    const offset = Number(field("offset") ?? 0);
    return wanted.every((byte, index) => ((start[offset + index] ?? 0) & (mask[index] ?? 0xff)) === (byte & (mask[index] ?? 0xff)));
  });
}

function entriesOf(directory: string): string[] {
  try {
    const names = readdirSync(directory).filter((name) => name !== "register" && name !== "status");
    return names.map((name) => readFileSync(join(directory, name), "utf8"));
  } catch {
    return [];
  }
}
