import type { Omission } from "@rea/core";
import type { LinkedElectron } from "../link/electron.js";
import type { LinkedApplication } from "../link/linked-application.js";
import type { IdentifiedPackage } from "../link/packages.js";
import type { GraphLimits } from "./graph-builder.js";

/** What a graph is made of. */
export interface GraphInput {
  readonly application: LinkedApplication;
  readonly electron: LinkedElectron;
  readonly packages: readonly IdentifiedPackage[];
  readonly root: { readonly sha256: string | null; readonly format: string };
  readonly omissions: readonly Omission[];
  readonly limitations: readonly string[];
  readonly limits?: GraphLimits;
}
