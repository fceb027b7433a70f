import { escapeUntrusted, ReaError, z, type JsonObject, type JsonValue } from "@rea/core";

/** How the bridge wraps every result. */
const envelope = z.strictObject({
  value: z.json(),
  /** Sentences of the bridge; never text of the target. */
  limitations: z.array(z.string().max(1_024)).max(64),
  /** The address the question was about. */
  at: z.string().regex(/^0x[0-9a-f]{1,16}$/).nullable(),
});

export interface EngineAnswer {
  readonly value: JsonValue;
  readonly limitations: readonly string[];
  readonly at: string | null;
}

/** Asks the bridge one thing. Throws the typed errors of the kit and of the bridge. */
export type AskBridge = (method: string, params: JsonObject, timeoutMs: number) => Promise<EngineAnswer>;

/** Takes the bridge's envelope off and makes all text of the target visible. Throws `unreadable_output`. */
export function engineAnswer(told: JsonValue, operation: string): EngineAnswer {
  const read = envelope.safeParse(told);
  if (!read.success) {
    throw new ReaError("unreadable_output", {
      message: "Ghidra's bridge answered in a form that is not its own. Report the provider and operation.",
      details: { provider_id: "ghidra", operation, reason: "envelope_malformed" },
    });
  }
  const { value, limitations, at } = read.data;
  return { value: shown(value, typeof value === "string"), limitations, at };
}

/** Members named `text`, and an answer that is text as a whole, hold several lines. */
function shown(value: JsonValue, multiline: boolean): JsonValue {
  if (typeof value === "string") return escapeUntrusted(value, { multiline });
  if (Array.isArray(value)) return value.map((item: JsonValue) => shown(item, false));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, shown(member, key === "text")]));
}
