import type { AnalysisProvider, CloseOutcome } from "@rea/provider";
import { createGhidraProvider } from "@rea/provider-ghidra";
import { createHopperProvider } from "@rea/provider-hopper";
import { lazyLauncher } from "./lazy-launcher.js";

/** The deep providers that drive an engine of the user, whether there is one or not: each says itself what is missing. */
export interface ExternalProviders {
  readonly providers: readonly AnalysisProvider[];
  /** Ends whatever their clients left running; safe to call twice. */
  close(): Promise<CloseOutcome>;
}

/** Starts and loads nothing; settings are read from `env` when a provider is asked. */
export function createExternalProviders(env: { readonly [name: string]: string | undefined }): ExternalProviders {
  const launcher = lazyLauncher();
  return {
    providers: [createGhidraProvider({ env, launcher }), createHopperProvider({ env, launcher })],
    async close() {
      const { remaining } = await launcher.close();
      return { remaining: remaining.map(({ kind, detail }) => ({ kind, detail: `pid ${String(detail.pid)}: ${detail.reason}` })) };
    },
  };
}
