import type { PeFile } from "./pe-file.js";

export type PeRole = "application" | "shared-library" | "driver" | "non-executable";

const executableImage = 0x0002;
const dll = 0x2000;
const wdmDriver = 0x2000;
const native = 1;
const efiDrivers: readonly number[] = [11, 12, 13];
const kernelModules: ReadonlySet<string> = new Set(["ntoskrnl.exe", "hal.dll", "ndis.sys", "fltmgr.sys", "wdfldr.sys"]);

/**
 * What the file is made for. A file without the executable-image flag is `non-executable`. EFI driver subsystems, the
 * WDM flag, and the native subsystem with imports from kernel modules make a `driver`.
 */
export function roleOf(file: PeFile, libraries: readonly string[]): PeRole {
  const { characteristics, subsystem, dllCharacteristics } = file.headers;
  if ((characteristics & executableImage) === 0) return "non-executable";
  if (efiDrivers.includes(subsystem)) return "driver";
  const kernel = libraries.some((name) => kernelModules.has(name.toLowerCase()));
  if (subsystem === native && (kernel || (dllCharacteristics & wdmDriver) !== 0)) return "driver";
  return (characteristics & dll) !== 0 ? "shared-library" : "application";
}
