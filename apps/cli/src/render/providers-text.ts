import { z } from "@rea/core";
import type { Style } from "./style.js";

const candidateSchema = z.array(
  z.looseObject({
    provider: z.looseObject({ id: z.string(), name: z.string(), version: z.string().nullable() }),
    availability: z.looseObject({ status: z.string(), code: z.string().nullable(), reason: z.string().nullable() }),
    operations: z.array(z.string()),
  }),
);

/** The analysis providers of this host: which can be used, why another cannot, and how one is chosen. */
export function providersText(candidates: unknown, style: Style): string {
  const found = candidateSchema.parse(candidates);
  const lines = found.flatMap(({ provider, availability, operations }) => {
    const usable = availability.status === "available";
    const version = provider.version === null ? "" : ` ${provider.version}`;
    const state = usable ? style.good("available") : style.warn((availability.code ?? "unavailable").replaceAll("_", " "));
    return [
      `${style.heading(provider.id.padEnd(12))} ${state}  ${provider.name}${version}, ${String(operations.length)} operations`,
      ...(availability.reason === null ? [] : [`    ${availability.reason}`]),
    ];
  });
  const usable = found.filter(({ availability }) => availability.status === "available").map(({ provider }) => provider.id);
  return [...lines, "", style.dim(choice(usable)), ""].join("\n");
}

function choice(usable: readonly string[]): string {
  const external = usable.filter((id) => id !== "rea-native");
  const how = "Choose with --provider ID or REA_ANALYSIS_PROVIDER; rea cross-check PATH compares them.";
  if (external.length > 1) return `Several engines can be used, so one has to be named. ${how}`;
  return external.length === 1 ? `Without a choice, ${external.join("")} analyses what it supports. ${how}` : `Without a choice, rea-native analyses. ${how}`;
}
