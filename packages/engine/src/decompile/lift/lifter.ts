import type { BinaryImage } from "@rea/binary";
import type { BasicBlock } from "../../program.js";
import type { Machine } from "../machine-model.js";
import { aapcs64, appleArm64 } from "./arm64/aapcs64.js";
import { liftArm64Function } from "./arm64/lift-function.js";
import type { LiftContext } from "./lift-context.js";
import type { LiftedFunction } from "./lifted-function.js";
import { liftX86Function } from "./x86/lift-function.js";
import { loadIced } from "./x86/load-iced.js";
import { x86Names } from "./x86/machine.js";
import { microsoftX64, systemV } from "./x86/system-v.js";

/** Turns functions of one instruction set into steps. */
export interface Lifter {
  readonly machine: Machine;
  lift(blocks: readonly BasicBlock[], entry: number, context: LiftContext): LiftedFunction;
}

/** True where code of the image can be lifted. */
export function isLifted({ architecture }: Pick<BinaryImage, "architecture">): boolean {
  return architecture === "x86_64" || architecture === "arm64";
}

/** The lifter for the image's code and calling convention; undefined for other instruction sets. */
export function lifterFor({ architecture, format }: Pick<BinaryImage, "architecture" | "format">): Lifter | undefined {
  if (architecture === "arm64") return { machine: format === "mach-o" ? appleArm64 : aapcs64, lift: liftArm64Function };
  if (architecture !== "x86_64") return undefined;
  const names = x86Names(loadIced());
  return { machine: format === "pe" ? microsoftX64 : systemV, lift: (blocks, entry, context) => liftX86Function(names, blocks, entry, context) };
}
