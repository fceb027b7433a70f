import { processScenarioSchema, type ProcessScenario } from "@rea/core";
import { parseFreeForm } from "@rea/tool";
import { operation } from "./scenario-refusal.js";

/** Reads a scenario as it was given. Throws `invalid_request` that names every problem, never a value. */
export function parseScenario(given: unknown): ProcessScenario {
  return parseFreeForm(processScenarioSchema, given, { operation, field: "scenario" });
}
