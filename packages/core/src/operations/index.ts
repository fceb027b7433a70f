import type { z } from "../z.js";
import { analyzeFunctionOperation, summarizeProgramOperation } from "./analyze-function.js";
import { appleDocumentOperations } from "./apple-documents.js";
import { artifactOperations } from "./artifact.js";
import { binaryFormatOperations } from "./binary-format.js";
import { directOperations } from "./direct.js";
import { dispatchOperations } from "./dispatch-metadata.js";
import { javascriptOperations } from "./javascript-application.js";
import { fingerprintFunctionsOperation } from "./fingerprints.js";
import { nativeValueOperations } from "./native-values.js";
import { signatureOperations } from "./signature.js";

/** Operations of deep providers; exactly one deep provider answers them for a target. */
export const deepOperations = {
  ...directOperations,
  analyze_function: analyzeFunctionOperation,
  summarize_program: summarizeProgramOperation,
  fingerprint_functions: fingerprintFunctionsOperation,
  ...dispatchOperations,
  ...nativeValueOperations,
} as const;

/** Operations of auxiliary providers. */
const executableOperations = { ...binaryFormatOperations, ...signatureOperations } as const;
const staticOperations = { ...executableOperations, ...artifactOperations, ...appleDocumentOperations, ...javascriptOperations } as const;

/** Every operation, deep and auxiliary, by name. */
export const operations = { ...deepOperations, ...staticOperations } as const;

export type DeepOperationName = keyof typeof deepOperations;
/** Those of the executable readers. */
export type BinaryOperationName = keyof typeof executableOperations;
export type StaticOperationName = keyof typeof staticOperations;
export type OperationName = keyof typeof operations;

/** Parameters after parsing and defaults. */
export type OperationParams<N extends OperationName> = z.output<(typeof operations)[N]["params"]>;
export type OperationResult<N extends OperationName> = z.output<(typeof operations)[N]["result"]>;

/** Parts of composed tools that nobody asks for by themselves; shown nowhere. */
const partsOfTools: readonly string[] = ["summarize_program", "fingerprint_functions"];

/** True for an operation that stands for something a caller can ask. */
export function isShownOperation(name: string): boolean {
  return !partsOfTools.includes(name);
}

export function isDeepOperation(name: string): name is DeepOperationName {
  return Object.hasOwn(deepOperations, name);
}

export function isOperation(name: string): name is OperationName {
  return Object.hasOwn(operations, name);
}

export const deepOperationNames: readonly DeepOperationName[] = Object.keys(deepOperations).filter(isDeepOperation);
