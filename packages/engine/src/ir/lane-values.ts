/** One lane of a lane operation: its width, its number, the operands, and how to take a lane of a value. */
export interface Lane {
  readonly lane: number;
  readonly lanes: number;
  readonly index: number;
  readonly imm: number;
  readonly a: bigint;
  readonly b: bigint;
  readonly c: bigint;
  readonly at: (value: bigint, index: number) => bigint;
}

/** With the lane's own values of the first two operands, also as signed numbers. */
export interface LaneValues extends Lane {
  readonly x: bigint;
  readonly y: bigint;
  readonly sx: bigint;
  readonly sy: bigint;
  readonly half: number;
}
