import { refuse } from "../refusal.js";
import { qualifier, type FunctionNode, type TypeNode } from "./node.js";
import { isDigit, type Reader } from "./reader.js";
import { readExtraQualifiers, readQualifiers } from "./types.js";

const conventions: ReadonlyMap<string, string> = new Map([
  ["A", "__cdecl"], ["B", "__cdecl"], ["C", "__pascal"], ["D", "__pascal"], ["E", "__thiscall"], ["F", "__thiscall"],
  ["G", "__stdcall"], ["H", "__stdcall"], ["I", "__fastcall"], ["J", "__fastcall"], ["M", "__clrcall"], ["N", "__clrcall"],
  ["O", "__eabi"], ["P", "__eabi"], ["Q", "__vectorcall"], ["S", "__attribute__((__swiftcall__)) "],
  ["W", "__attribute__((__swiftasynccall__)) "], ["w", "__regcall"],
]);

export function readConvention(reader: Reader): string {
  return conventions.get(reader.next()) ?? refuse();
}

/** What a function type says, without what its name says of it. */
export function readFunctionType(reader: Reader, isMember: boolean): FunctionNode {
  return reader.enter(() => {
    let qualifiers: number = qualifier.none;
    let reference: FunctionNode["reference"] = "";
    if (isMember) {
      qualifiers = readExtraQualifiers(reader);
      reference = reader.take("G") ? " &" : reader.take("H") ? " &&" : "";
      qualifiers |= readQualifiers(reader).qualifiers;
    }
    const convention = readConvention(reader);
    const returns = reader.take("@") ? undefined : reader.rules.type(reader, "marked");
    const { params, variadic } = readParams(reader);
    const noexcept = reader.take("_E");
    if (!noexcept) reader.expect("Z");
    return { kind: "function", convention, returns, params, variadic, noexcept, reference, qualifiers, prefix: "", adjustment: "", bare: false };
  });
}

function readParams(reader: Reader): { readonly params: readonly TypeNode[] | undefined; readonly variadic: boolean } {
  if (reader.take("X")) return { params: undefined, variadic: false };
  const params: TypeNode[] = [];
  for (;;) {
    if (reader.take("@")) return { params, variadic: false };
    if (reader.take("Z")) return { params, variadic: true };
    params.push(readParam(reader));
  }
}

/** A digit refers to an earlier parameter; types of one letter are not counted for that. */
function readParam(reader: Reader): TypeNode {
  if (isDigit(reader.peek())) return reader.knownParam();
  const start = reader.at;
  const type = reader.rules.type(reader, "none");
  if (reader.at - start > 1) reader.rememberParam(type);
  return type;
}

interface FunctionClass {
  readonly prefix: string;
  readonly isMember: boolean;
  readonly adjusts: "" | "static" | "virtual" | "virtual-ex";
}

const accesses = ["private: ", "protected: ", "public: "];

/** `A`…`X` in groups of eight by access, each in pairs (near and far): plain, static, virtual, virtual with adjustment. */
function readClass(reader: Reader): FunctionClass {
  const code = reader.next();
  if (code === "Y" || code === "Z") return { prefix: "", isMember: false, adjusts: "" };
  if (code === "$") {
    const adjusts = reader.take("R") ? "virtual-ex" : "virtual";
    const digit = "012345".indexOf(reader.next());
    if (digit < 0) refuse();
    return { prefix: `[thunk]: ${accesses[digit >> 1] ?? ""}virtual `, isMember: true, adjusts };
  }
  const index = code.charCodeAt(0) - 0x41;
  const access = accesses[index >> 3];
  if (index < 0 || access === undefined) return refuse();
  switch ((index >> 1) & 3) {
    case 0:
      return { prefix: access, isMember: true, adjusts: "" };
    case 1:
      return { prefix: `${access}static `, isMember: false, adjusts: "" };
    case 2:
      return { prefix: `${access}virtual `, isMember: true, adjusts: "" };
    default:
      return { prefix: `[thunk]: ${access}virtual `, isMember: true, adjusts: "static" };
  }
}

/** What stands behind the name of a function. */
export function readFunction(reader: Reader): FunctionNode {
  const external = reader.take("$$J0") ? 'extern "C" ' : "";
  if (reader.take("9")) return bareFunction;
  const { prefix, isMember, adjusts } = readClass(reader);
  const adjustment = readAdjustment(reader, adjusts);
  return { ...readFunctionType(reader, isMember), prefix: prefix + external, adjustment };
}

/** An `extern "C"` function whose types are not mangled. */
const bareFunction: FunctionNode = {
  kind: "function",
  convention: "",
  returns: undefined,
  params: undefined,
  variadic: false,
  noexcept: false,
  reference: "",
  qualifiers: qualifier.none,
  prefix: 'extern "C" ',
  adjustment: "",
  bare: true,
};

function readAdjustment(reader: Reader, adjusts: FunctionClass["adjusts"]): string {
  // Offsets are 32 bits wide; negative ones are written as large numbers.
  const numbers = (count: number): string =>
    Array.from({ length: count }, () => String(BigInt.asIntN(32, reader.number()))).join(", ");
  switch (adjusts) {
    case "":
      return "";
    case "static":
      return `\`adjustor{${numbers(1)}}'`;
    case "virtual":
      return `\`vtordisp{${numbers(2)}}'`;
    case "virtual-ex":
      return `\`vtordispex{${numbers(4)}}'`;
  }
}
