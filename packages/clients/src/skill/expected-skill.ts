import type { JsonObject } from "@rea/core";
import { sessionDescription } from "../doctor/description.js";
import type { Installation } from "../registration/installation.js";
import { skillText } from "./skill-text.js";

/** The skill file of an installation: of its version, its catalogue and the digest that its own `binary_session` tells. */
export function expectedSkill(given: {
  readonly installation: Pick<Installation, "package_version">;
  /** The array that `tools/list` answers with. */
  readonly catalogue: readonly JsonObject[];
  /** Result of `binary_session`. */
  readonly description: JsonObject;
}): string {
  return skillText({
    version: given.installation.package_version,
    tools: given.catalogue.map((entry) => entry["name"]).filter((name) => typeof name === "string"),
    catalog_digest: sessionDescription(given.description).server_identity.catalog.combined_sha256,
  });
}
