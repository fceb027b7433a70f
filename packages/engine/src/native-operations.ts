import { deepOperationNames, isDeepOperation, type DeepOperationName } from "@rea/core";

/** All of the deep family but the choice among several documents: the embedded engine has the one target. */
export type NativeOperationName = Exclude<DeepOperationName, "set_current_document">;

export function isNativeOperation(name: string): name is NativeOperationName {
  return name !== "set_current_document" && isDeepOperation(name);
}

export const nativeOperationNames: readonly NativeOperationName[] = deepOperationNames.filter(isNativeOperation);
