import { z, type WebMetadata } from "@rea/core";
import { CommandRefused } from "../protocol/connection.js";
import type { TargetSession } from "../protocol/target-session.js";
import type { KnownFrame } from "./frame-map.js";
import { pageText, pageWord } from "./page-text.js";

const policy = z.looseObject({ value: z.string(), reportOnlyValue: z.string() });
const reply = z.looseObject({
  status: z.looseObject({
    coop: policy.optional(),
    coep: policy.optional(),
    csp: z.array(z.looseObject({ effectiveDirectives: z.string(), isEnforced: z.boolean() })).optional(),
  }),
});

/** How the browser isolates the document of a frame: what came of its headers, which themselves are no longer told. */
export async function readIsolation(session: TargetSession, frame: KnownFrame, textBytes: number): Promise<WebMetadata[]> {
  const found = await isolationOf(session, frame.id);
  if (found === undefined) return [];
  const item = (name: string, text: string): WebMetadata => {
    const { text: value, truncated } = pageText(text, textBytes);
    return { frame: frame.key, name, value, value_truncated: truncated, source: "isolation_status", trust: "browser-reported", url: null };
  };
  const { coop, coep, csp } = found.status;
  return [
    ...(coop === undefined ? [] : [item("cross-origin-opener-policy", pageWord(coop.value)), ...reportOnly("cross-origin-opener-policy", coop, item)]),
    ...(coep === undefined ? [] : [item("cross-origin-embedder-policy", pageWord(coep.value)), ...reportOnly("cross-origin-embedder-policy", coep, item)]),
    ...(csp ?? []).map((entry) => item(entry.isEnforced ? "content-security-policy" : "content-security-policy-report-only", entry.effectiveDirectives)),
  ];
}

function reportOnly(name: string, { reportOnlyValue }: z.output<typeof policy>, item: (name: string, text: string) => WebMetadata): WebMetadata[] {
  return reportOnlyValue === "None" || reportOnlyValue === "UnsafeNone" ? [] : [item(`${name}-report-only`, reportOnlyValue)];
}

async function isolationOf(session: TargetSession, frameId: string): Promise<z.output<typeof reply> | undefined> {
  try {
    return await session.command("Network.getSecurityIsolationStatus", { frameId }, reply);
  } catch (error) {
    if (error instanceof CommandRefused) return undefined;
    throw error;
  }
}
