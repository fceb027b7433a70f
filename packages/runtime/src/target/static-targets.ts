import type { OperationContext, OperationName } from "@rea/core";
import type { Target } from "@rea/provider";
import type { OpenState } from "../session/open-state.js";
import { sessionTargetError } from "../session/session-errors.js";
import { sameStamp, stampAt } from "./open-file.js";
import { directoryTarget, resolveAsGiven, resolveTarget, type DetectFile } from "./resolve-target.js";
import { targetUnavailable } from "./target-errors.js";

interface StaticCallTarget {
  readonly operation: OperationName;
  readonly params: object;
  /** The operation reads what stands at the path, bundles whole, and establishes its digest. */
  readonly asGiven: boolean;
}

/** Finds what a file-parser call is about: the file at its `path`, or what is open. */
export function createStaticTargets(state: () => OpenState | null, detect: DetectFile) {
  return {
    /**
     * Resolves and hashes the given path, or takes the open target when it still holds the same bytes. Throws
     * `target_unavailable` (`no_target`, `target_changed`, and the reasons of a path) and `invalid_request`.
     */
    async resolve({ operation, params, asGiven }: StaticCallTarget, context: OperationContext): Promise<Target> {
      const path = pathIn(params);
      if (path !== undefined) {
        const request = { path, operation };
        return asGiven ? resolveAsGiven(request, detect) : (await resolveTarget(request, detect, context)).target;
      }
      const open = state();
      if (open === null) throw sessionTargetError();
      const { target, stamp } = open.resolved;
      if (!sameStamp(stamp, await stampAt(target.path))) throw targetUnavailable(target.path, "target_changed");
      return asGiven && target.bundle_root !== null ? directoryTarget(target.bundle_root, null) : target;
    },
  };
}

/** Most operations call it `path`; those that never read the open target, `input_path`. */
function pathIn(params: object): string | undefined {
  if ("path" in params && typeof params.path === "string") return params.path;
  return "input_path" in params && typeof params.input_path === "string" ? params.input_path : undefined;
}
