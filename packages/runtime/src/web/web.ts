import type { ScriptReader, WebPort } from "@rea/core";
import type { ProcessLauncher } from "@rea/lineage";
import type { CloseOutcome } from "@rea/provider";
import type { SessionFiles } from "../session-files.js";
import { createWebPort } from "./web-port.js";

/** Observation of what runs, with the threads that scripts are read in and the browsers that were started. */
export interface Web {
  readonly port: WebPort;
  /** Ends all of it; safe to call twice. */
  close(): Promise<CloseOutcome>;
}

export interface WebHost {
  readonly files: SessionFiles;
  readonly env: { readonly [name: string]: string | undefined };
}

/** Loads and starts nothing before it is needed. */
export function createWeb({ files, env }: WebHost): Web {
  let reader: Promise<ScriptReader & { close(): Promise<void> }> | null = null;
  let launcher: Promise<ProcessLauncher> | null = null;
  const scriptReader = (): Promise<ScriptReader> => {
    reader ??= import("@rea/javascript").then(({ createScriptReader }) => createScriptReader());
    return reader;
  };
  const launch = (): Promise<ProcessLauncher> => {
    launcher ??= import("@rea/lineage").then(({ createLauncher }) => createLauncher());
    return launcher;
  };
  return {
    port: createWebPort({ files, scriptReader, launcher: launch, environment: env }),
    close: async () => {
      await (await reader)?.close();
      const remaining = (await (await launcher)?.close())?.remaining ?? [];
      return { remaining: remaining.map(({ kind, detail }) => ({ kind, detail: `pid ${String(detail.pid)}: ${detail.reason}` })) };
    },
  };
}
