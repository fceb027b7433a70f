import type { ReplayPort } from "@rea/core";

/** Runs of replay machines; the code for them is loaded with the first. */
export function createReplayPort(): ReplayPort {
  return {
    run: async (input, context) => {
      const { runReplayMachine } = await import("@rea/capture");
      return runReplayMachine(input, context);
    },
  };
}
