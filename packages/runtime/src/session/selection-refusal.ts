import { ReaError } from "@rea/core";
import { selectionError, type ChosenSelector, type Selection } from "@rea/provider";

/** The error of a refused selection; when the environment asked for the provider, it names the variable to correct. */
export function selectionRefusal(selection: Extract<Selection, { readonly outcome: "refused" }>, chosen: ChosenSelector): ReaError {
  const error = selectionError(selection, "open_binary");
  if (chosen.source !== "environment" || chosen.selector.kind === "auto") return error;
  return new ReaError(error.code, {
    message: `${error.message} The environment variable REA_ANALYSIS_PROVIDER chose it.`,
    details: error.details,
    action: "Correct or unset REA_ANALYSIS_PROVIDER and restart.",
    cause: error,
  });
}
