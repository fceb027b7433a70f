import { confidenceLevels, escapeUntrusted, isJsonObject, jsonObject, omissionSchema, ReaError, z, type JsonObject, type JsonValue } from "@rea/core";
import type { ClientAnswer } from "@rea/provider";

/** How the bridge wraps every answer; the limitations are sentences of its own, never text of the target. */
const envelope = z.strictObject({
  result: z.json(),
  omissions: z.array(omissionSchema).max(64),
  limitations: z.array(z.string().max(1_024)).max(64),
  resolved: jsonObject,
  confidence: z.enum(confidenceLevels),
});

/** Operations whose text has several lines. */
const multiline: readonly string[] = ["procedure_pseudo_code", "procedure_assembly", "comment", "inline_comment"];

/** Takes the bridge's wrapping off and makes all text of the target visible. Throws `unreadable_output`. */
export function bridgeAnswer(told: JsonValue, operation: string, params: JsonObject): ClientAnswer {
  const read = envelope.safeParse(told);
  if (!read.success) {
    throw new ReaError("unreadable_output", {
      message: "The bridge in Hopper answered in a form that is not its own. Report the provider and operation.",
      details: { provider_id: "hopper", operation, reason: "envelope_malformed" },
    });
  }
  const { result, limitations, resolved, confidence } = read.data;
  return {
    result: shown(result, multiline.includes(operation)),
    confidence,
    limitations: [...new Set(limitations)],
    locations: locationsOf(params, resolved),
    raw_result: null,
    resolved_parameters: shownObject(resolved),
  };
}

/** Members named `text` of a dossier hold several lines. */
function shown(value: JsonValue, lines: boolean): JsonValue {
  if (typeof value === "string") return escapeUntrusted(value, { multiline: lines });
  if (Array.isArray(value)) return value.map((item: JsonValue) => shown(item, lines));
  return isJsonObject(value) ? shownObject(value) : value;
}

function shownObject(value: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, shown(member, key === "text")]));
}

/** The one address that the question was about. */
function locationsOf(params: JsonObject, resolved: JsonObject): ClientAnswer["locations"] {
  const address = params["address"] ?? resolved["address"];
  return typeof address === "string" ? [{ kind: "address", address }] : [];
}
