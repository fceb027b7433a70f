import {
  dispatchPage,
  objcClassPage,
  objcProtocolPage,
  operations,
  swiftTypeCategories,
  type CapabilityPorts,
  type DispatchData,
  type Execution,
  type OperationName,
} from "@rea/core";
import { defineTool, effectClasses, type ToolContext, type ToolMode, type ToolOutcome } from "@rea/tool";
import { answer } from "../answer.js";
import { compose } from "../composed/composition.js";
import { deepTarget } from "../targets.js";
import { symbolMetadata } from "./symbol-metadata.js";

/** A provider that reads the metadata answers itself; for any other the names of symbols must do. */
function modes(operation: OperationName): readonly ToolMode[] {
  const remediation = "Open the target with a provider that reads runtime metadata or lists names.";
  return [
    { name: "metadata", operations: [operation], remediation },
    { name: "symbols", operations: ["list_names"], remediation },
  ];
}

interface Question<R> {
  readonly operation: OperationName;
  readonly ports: Pick<CapabilityPorts, "list_names">;
  readonly context: ToolContext;
  ask(): Promise<Execution<R>>;
  fromSymbols(data: DispatchData): R;
}

async function metadataOrSymbols<R>({ operation, ports, context, ask, fromSymbols }: Question<R>): Promise<ToolOutcome<R>> {
  if (context.offers(operation)) return answer(await ask());
  const composition = compose(operation, context);
  const result = fromSymbols(await symbolMetadata(composition, ports, context));
  const produced = composition.produced({ limitations: ["Items rest on names of symbols alone."] });
  return { result, produced: { ...produced, confidence: "inferred" } };
}

export const getObjcClasses = defineTool({
  name: "get_objc_classes",
  family: "enhanced",
  description:
    "Pages the Objective-C classes of the open target: superclass, protocols, counts of methods, ivars and properties, and where each stands. `basis` says whether runtime metadata or only a symbol's name speaks for it. Read the members of one with inspect_native_dispatch_metadata and its name as pattern.",
  input: operations.get_objc_classes.params,
  output: operations.get_objc_classes.result,
  effects: effectClasses.engineEvidence,
  evidence: true,
  requires: ["get_objc_classes", "list_names"],
  modes: modes("get_objc_classes"),
  target: deepTarget,
  cli: { command: "get-objc-classes", target: "open", positionals: [] },
  examples: [
    { title: "The first classes", target: "executable", input: { limit: 20 } },
    { title: "View controllers", target: "executable", input: { pattern: "ViewController" } },
  ],
  run: (input, ports, context) =>
    metadataOrSymbols({
      operation: "get_objc_classes",
      ports,
      context,
      ask: () => ports.get_objc_classes(input, context),
      fromSymbols: (data) => objcClassPage(data, input),
    }),
});

export const getObjcProtocols = defineTool({
  name: "get_objc_protocols",
  family: "enhanced",
  description:
    "Pages the Objective-C protocols of the open target: what they adopt, how many methods they require or allow, and where each stands. `basis` says whether runtime metadata or only a symbol's name speaks for it. Read the members of one with inspect_native_dispatch_metadata and its name as pattern.",
  input: operations.get_objc_protocols.params,
  output: operations.get_objc_protocols.result,
  effects: effectClasses.engineEvidence,
  evidence: true,
  requires: ["get_objc_protocols", "list_names"],
  modes: modes("get_objc_protocols"),
  target: deepTarget,
  cli: { command: "get-objc-protocols", target: "open", positionals: [] },
  examples: [{ title: "Delegate protocols", target: "executable", input: { pattern: "Delegate" } }],
  run: (input, ports, context) =>
    metadataOrSymbols({
      operation: "get_objc_protocols",
      ports,
      context,
      ask: () => ports.get_objc_protocols(input, context),
      fromSymbols: (data) => objcProtocolPage(data, input),
    }),
});

export const analyzeSwiftTypes = defineTool({
  name: "analyze_swift_types",
  family: "enhanced",
  description:
    "Returns the Swift classes, structs, enums, protocols and conformances of the open target by kind, with module, fields and their types, superclass and conformances. `basis` says whether runtime metadata or only a symbol's name speaks for it. At most 1,000 items: narrow with pattern. Continue with inspect_native_dispatch_metadata.",
  input: operations.analyze_swift_types.params,
  output: operations.analyze_swift_types.result,
  effects: effectClasses.engineEvidence,
  evidence: true,
  requires: ["analyze_swift_types", "list_names"],
  modes: modes("analyze_swift_types"),
  target: deepTarget,
  cli: { command: "analyze-swift-types", target: "open", positionals: [] },
  examples: [{ title: "Types of settings", target: "executable", input: { pattern: "Settings" } }],
  run: (input, ports, context) =>
    metadataOrSymbols({
      operation: "analyze_swift_types",
      ports,
      context,
      ask: () => ports.analyze_swift_types(input, context),
      fromSymbols: (data) => swiftTypeCategories(data, input),
    }),
});

export const inspectNativeDispatchMetadata = defineTool({
  name: "inspect_native_dispatch_metadata",
  family: "enhanced",
  description:
    "Pages Objective-C and Swift runtime metadata as one list: classes, categories, protocols, methods, ivars, properties, selector references, fields, conformances and virtual tables, with address, file offset and the code that runs. Use it to get from a selector to its method; continue with analyze_function on `implementation` or xrefs on a selector reference.",
  input: operations.inspect_native_dispatch_metadata.params,
  output: operations.inspect_native_dispatch_metadata.result,
  effects: effectClasses.engineEvidence,
  evidence: true,
  requires: ["inspect_native_dispatch_metadata", "list_names"],
  modes: modes("inspect_native_dispatch_metadata"),
  target: deepTarget,
  cli: { command: "inspect-native-dispatch-metadata", target: "open", positionals: [] },
  examples: [
    { title: "The first records", target: "executable", input: { limit: 20 } },
    { title: "Who implements a selector", target: "executable", input: { pattern: "applicationDidFinishLaunching:" } },
  ],
  run: (input, ports, context) =>
    metadataOrSymbols({
      operation: "inspect_native_dispatch_metadata",
      ports,
      context,
      ask: () => ports.inspect_native_dispatch_metadata(input, context),
      fromSymbols: (data) => dispatchPage(data, input),
    }),
});
