import type { OperationResult } from "@rea/core";

/** The `inspect_binary` result, which the page is mostly made of. */
export type Inspection = OperationResult<"inspect_binary">;
