import { isReaError, type ScriptReader, type ScriptReading, type SourceMapReading } from "@rea/core";
import { JobFailed, workerPool, type WorkerPool } from "../worker/pool.js";

/** A reader and the threads it reads in. Close it when done; an idle one never keeps the process alive. */
export interface OwnedScriptReader extends ScriptReader {
  close(): Promise<void>;
}

/**
 * Reads scripts and source maps in worker threads, so that the caller's thread stays free. Nothing of a text is run; a text
 * that no dialect can read is `unreadable` with the place of the fault.
 */
export function createScriptReader(options: { readonly pool?: WorkerPool } = {}): OwnedScriptReader {
  const pool = options.pool ?? workerPool();
  return {
    readScript: async (text, limits) => {
      try {
        const answer = await pool.run({ kind: "read_script", text, limits });
        if (answer.kind === "script") return answer.reading;
        return unreadScript("The text could not be read.");
      } catch (error) {
        return unreadScript(whyFailed(error));
      }
    },
    readSourceMap: async (text, limits) => {
      try {
        const answer = await pool.run({ kind: "read_source_map", text, limits });
        if (answer.kind === "source_map") return answer.reading;
        return unreadMap("The text could not be read.");
      } catch (error) {
        return unreadMap(whyFailed(error));
      }
    },
    close: () => pool.close(),
  };
}

function whyFailed(error: unknown): string {
  if (error instanceof JobFailed || isReaError(error)) return error.message;
  throw error;
}

function unreadScript(what: string): ScriptReading {
  return { dialect: "unreadable", parts: [], endpoints: [], routes: [], hints: [], sourceMapUrl: null, problems: [{ what, offset: null }], omitted: 0 };
}

function unreadMap(problem: string): SourceMapReading {
  return { verdict: "unreadable", sources: [], mappings: 0, problems: [problem] };
}
