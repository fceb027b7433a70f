import type { GhidraHost } from "../ghidra-host.js";
import { unavailable, type Unavailable } from "./unavailable.js";

const setting = "REA_GHIDRA_STARTUP_TIMEOUT_MS";
const longest = 2_147_483_647;
const standard = 330_000;

/** Milliseconds from the first deep call until Ghidra has imported, analysed and connected. */
export function startupTimeout({ env }: GhidraHost): { readonly startupMs: number } | { readonly refusal: Unavailable } {
  const text = env[setting];
  if (text === undefined || text === "") return { startupMs: standard };
  const value = /^\d{1,10}$/.test(text) ? Number(text) : 0;
  if (value >= 1 && value <= longest) return { startupMs: value };
  const reason = `REA_GHIDRA_STARTUP_TIMEOUT_MS is not a whole number from 1 to ${String(longest)}. Correct or unset it; the default is ${String(standard)}.`;
  return unavailable("open_options_invalid", reason, { setting, problem: "out_of_range" });
}
