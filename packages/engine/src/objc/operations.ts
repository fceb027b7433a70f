import {
  dispatchPage,
  objcClassPage,
  objcProtocolPage,
  swiftTypeCategories,
  type OperationParams,
  type OperationResult,
} from "@rea/core";
import { answer, type Answer } from "../operations/answer.js";
import type { ImageQuery } from "../operations/query.js";
import { dispatchDataOf } from "./dispatch-data.js";

const fromSymbols = "Items marked `symbols` rest on the name of a symbol alone.";

/** One of the four operations over the metadata of the image; needs no analysis. */
function over<P, R>(
  cut: (data: ReturnType<typeof dispatchDataOf>, params: P) => R,
  items: (result: R) => readonly { readonly basis: string }[],
) {
  return ({ image }: ImageQuery, params: P): Answer<R> => {
    const result = cut(dispatchDataOf(image), params);
    const symbols = items(result).some(({ basis }) => basis === "symbols");
    return answer(result, symbols ? { confidence: "inferred", limitations: [fromSymbols] } : {});
  };
}

export const getObjcClasses = over<OperationParams<"get_objc_classes">, OperationResult<"get_objc_classes">>(
  objcClassPage,
  ({ items }) => items,
);

export const getObjcProtocols = over<OperationParams<"get_objc_protocols">, OperationResult<"get_objc_protocols">>(
  objcProtocolPage,
  ({ items }) => items,
);

export const analyzeSwiftTypes = over<OperationParams<"analyze_swift_types">, OperationResult<"analyze_swift_types">>(
  swiftTypeCategories,
  ({ categories }) => categories.flatMap(({ items }) => items),
);

export const inspectNativeDispatchMetadata = over<
  OperationParams<"inspect_native_dispatch_metadata">,
  OperationResult<"inspect_native_dispatch_metadata">
>(dispatchPage, ({ items }) => items);
