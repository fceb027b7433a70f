import { ReaError, type HostFeature, type HostProgramsPort } from "@rea/core";
import type { ProcessLauncher } from "@rea/lineage";
import type { CloseOutcome } from "@rea/provider";
import { demangleSwift, findSwiftDemangler, swiftDemanglerVersion, type AskProgram } from "./swift-demangler.js";

/** Programs of the host that tools ask; nothing is loaded or started before the first question. */
export interface HostPrograms {
  readonly port: HostProgramsPort;
  /** What is missing, looked up anew each time; null when the program is there. */
  missing(feature: HostFeature): { readonly required: string; readonly actual: string } | null;
  /** Ends what still runs; safe to call twice. */
  close(): Promise<CloseOutcome>;
}

const provider = { id: "rea-binary-static", name: "REA binary formats", version: "1" };
const limitation = "The names are what the host's swift-demangle answers; other versions of it may answer otherwise.";

export function createHostPrograms(env: { readonly [name: string]: string | undefined }): HostPrograms {
  /** By digest of the program. */
  const versions = new Map<string, string | null>();
  let launcher: ProcessLauncher | null = null;
  const missing: HostPrograms["missing"] = (feature) =>
    finders[feature](env["PATH"]) === null ? { required: required[feature], actual: "not found" } : null;

  const ask: AskProgram = async (request) => {
    const { createLauncher, runHostProgram } = await import("@rea/lineage");
    launcher ??= createLauncher();
    return runHostProgram(launcher, request);
  };

  return {
    missing,
    port: {
      async demangleSwift(symbols, context) {
        const executable = findSwiftDemangler(env["PATH"]);
        if (executable === null) throw unsupported("swift_demangle");
        const { names, program } = await demangleSwift(ask, executable, { symbols, context });
        const sha256 = program.executable_sha256;
        if (!versions.has(sha256)) versions.set(sha256, await swiftDemanglerVersion(ask, executable, context.signal));
        return {
          result: { names, program: { ...program, tool_version: versions.get(sha256) ?? null } },
          raw_result: null,
          provider,
          analysis_profile: null,
          subject: null,
          confidence: "derived",
          limitations: [limitation],
          locations: [],
          resolved_parameters: {},
        };
      },
    },
    async close() {
      const outcome = await launcher?.close();
      const remaining = outcome?.remaining ?? [];
      return { remaining: remaining.map(({ kind, detail }) => ({ kind, detail: `pid ${String(detail.pid)}: ${detail.reason}` })) };
    },
  };
}

const finders: { readonly [feature in HostFeature]: (path: string | undefined) => string | null } = { swift_demangle: findSwiftDemangler };
const required: { readonly [feature in HostFeature]: string } = { swift_demangle: "swift-demangle, in PATH or in a Swift toolchain" };

function unsupported(feature: HostFeature): ReaError {
  return new ReaError("unsupported_host", {
    message: "This host does not have the program that answers. Install it, then call again.",
    details: { required: required[feature], actual: "not found" },
    action: "Install what details.required names, then call again.",
  });
}
