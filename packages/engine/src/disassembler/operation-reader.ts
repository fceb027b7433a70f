/** Numbers for what instructions do, whatever registers and addresses they use. */
export interface OperationReader {
  /** The operation at an offset; a fixed number for bytes that are no instruction. */
  at(offset: number): number;
  /** Constant of the operation read last, as 32 bits; undefined without one. */
  readonly constant: number | undefined;
  close(): void;
}
