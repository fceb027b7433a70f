import { createProgress, operations, silentProgress, toReaError, type ErrorObject, type OperationResult, type ProgressUpdate } from "@rea/core";
import type { ToolHost } from "@rea/tool";
import { interrupt } from "./interrupt.js";

/** Functions of the open target as text, many of them: nothing is kept as a record, so that memory stays bounded. */
export class FunctionTexts {
  readonly #ports: ToolHost["ports"];
  readonly #report: (update: ProgressUpdate) => void;

  constructor({ ports }: ToolHost, report: (update: ProgressUpdate) => void) {
    this.#ports = ports;
    this.#report = report;
  }

  /** One function as C, null for one whose body is elsewhere. */
  async one(procedure: string): Promise<{ readonly ok: true; readonly text: string | null } | { readonly ok: false; readonly error: ErrorObject }> {
    try {
      const { result } = await this.#ports.procedure_pseudo_code(operations.procedure_pseudo_code.params.parse({ procedure }), { signal: interrupt.signal, progress: silentProgress });
      return { ok: true, text: result };
    } catch (error) {
      return { ok: false, error: toReaError(error, "procedure_pseudo_code").toObject() };
    }
  }

  /** A page of procedures. Rejects as the port does. */
  async page(offset: number, limit: number): Promise<OperationResult<"list_procedures">> {
    const context = { signal: interrupt.signal, progress: createProgress((update) => { this.#report(update); }) };
    const { result } = await this.#ports.list_procedures(operations.list_procedures.params.parse({ offset, limit }), context);
    return result;
  }

  progress(completed: number, total: number): void {
    this.#report({ phase: "decompile", completed, total, message: `function ${String(completed)} of ${String(total)}` });
  }
}
