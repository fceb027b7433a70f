/** Types of values in generated programs. */
export interface NumberType {
  readonly name: string;
  readonly kind: "int" | "float";
  readonly bits: number;
  readonly signed: boolean;
}

const int = (name: string, bits: number, signed: boolean): NumberType => ({ name, kind: "int", bits, signed });

export const int32 = int("int32_t", 32, true);
export const float64: NumberType = { name: "double", kind: "float", bits: 64, signed: true };

export const numberTypes: readonly [NumberType, ...NumberType[]] = [
  int32, int32, int("uint32_t", 32, false), int("int64_t", 64, true), int("uint64_t", 64, false), int("int8_t", 8, true), int("uint8_t", 8, false), int("int16_t", 16, true), int("uint16_t", 16, false),
  float64, { name: "float", kind: "float", bits: 32, signed: true },
];

/** Variables of a function or of the program, and how they are read. */
export interface Place {
  readonly text: string;
  readonly type: NumberType;
  /** Loop counters are only read. */
  readonly fixed?: boolean;
}

export interface GeneratedFunction {
  readonly name: string;
  readonly parameters: readonly NumberType[];
  /** Takes a pointer to this type, with eight elements, before the others. */
  readonly array: NumberType | undefined;
  readonly result: NumberType | undefined;
  /** Steps that a call takes at most, so that whole programs end soon. */
  readonly cost: number;
}
