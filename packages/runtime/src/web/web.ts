import type { ScriptReader, WebPort } from "@rea/core";
import type { SessionFiles } from "../session-files.js";
import { createWebPort } from "./web-port.js";

/** Observation of what runs, with the threads that scripts are read in. */
export interface Web {
  readonly port: WebPort;
  /** Ends the threads; safe to call twice. */
  close(): Promise<void>;
}

/** Starts nothing before the first bundle is read. */
export function createWeb(files: SessionFiles): Web {
  let reader: Promise<ScriptReader & { close(): Promise<void> }> | null = null;
  const scriptReader = async (): Promise<ScriptReader> => {
    reader ??= import("@rea/javascript").then(({ createScriptReader }) => createScriptReader());
    return reader;
  };
  return {
    port: createWebPort({ files, scriptReader }),
    close: async () => {
      await (await reader)?.close();
    },
  };
}
