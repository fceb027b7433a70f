import type { CapabilityPorts, DeepOperationName, Execution, z } from "@rea/core";
import { defineTool, effectClasses, type ToolCommand, type ToolContext, type ToolDefinition, type ToolEffects, type ToolExample } from "@rea/tool";
import { answer } from "../answer.js";
import { deepTarget } from "../targets.js";

interface DirectTool<I extends z.ZodObject, O extends z.ZodType, K extends DeepOperationName> {
  readonly name: K;
  readonly description: string;
  readonly operation: { readonly params: I; readonly result: O };
  /** Default: a read that may start an external engine. */
  readonly effects?: ToolEffects;
  readonly cli?: ToolCommand;
  readonly examples: readonly [ToolExample<z.input<I>>, ...ToolExample<z.input<I>>[]];
  call(ports: Pick<CapabilityPorts, K>, input: z.output<I>, context: ToolContext): Promise<Execution<z.output<O>>>;
}

/** A tool that is exactly one operation of the bound deep provider: same name, same input, same result. */
export function directTool<I extends z.ZodObject, O extends z.ZodType, const K extends DeepOperationName>(
  tool: DirectTool<I, O, K>,
): ToolDefinition<I, O, K> {
  return defineTool<I, O, K>({
    name: tool.name,
    family: "direct",
    description: tool.description,
    input: tool.operation.params,
    output: tool.operation.result,
    effects: tool.effects ?? effectClasses.engineEvidence,
    evidence: true,
    requires: [tool.name],
    target: deepTarget,
    cli: tool.cli ?? null,
    examples: tool.examples,
    run: async (input, ports, context) => answer(await tool.call(ports, input, context)),
  });
}
