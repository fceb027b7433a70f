import { throwIfAborted, type Evidence, type OperationContext } from "@rea/core";
import type { ToolOutcome } from "@rea/tool";

const producers = {
  comparison: { id: "rea-comparison", name: "REA comparison", version: "1" },
  reconstruction: { id: "rea-reconstruction", name: "REA reconstruction", version: "1" },
} as const;

interface Derivation<R> {
  readonly operation: string;
  readonly producer: keyof typeof producers;
  readonly inputs: readonly Evidence[];
  readonly compute: () => R;
}

/**
 * A result computed from records alone. A cancel is heard before the computation and before anything is published, so that a
 * cancelled call leaves no record.
 */
export async function derived<R extends { readonly limitations: readonly string[] }>(
  { operation, producer, inputs, compute }: Derivation<R>,
  context: OperationContext,
): Promise<ToolOutcome<R>> {
  await turn(context, operation);
  const result = compute();
  await turn(context, operation);
  return {
    result,
    produced: {
      raw_result: null,
      provider: producers[producer],
      analysis_profile: null,
      subject: null,
      confidence: "derived",
      limitations: [...new Set(result.limitations)],
      locations: [],
      resolved_parameters: {},
      evidence_links: [...new Set(inputs.map(({ evidence_id }) => evidence_id))],
    },
  };
}

async function turn({ signal }: OperationContext, operation: string): Promise<void> {
  await new Promise((resume) => setImmediate(resume));
  throwIfAborted(signal, operation);
}
