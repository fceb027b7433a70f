/** Instructions (or short sequences) over x0 … x3, v0 … v3, memory at x9 (64 bytes), by family; without what faults. */
export interface FormFamily {
  readonly name: string;
  readonly forms: readonly string[];
}

const conditions = ["eq", "ne", "cs", "cc", "mi", "pl", "vs", "vc", "hi", "ls", "ge", "lt", "gt", "le"];
const generals = [["w", 32], ["x", 64]] as const;
const arrangements = ["8b", "16b", "4h", "8h", "2s", "4s", "2d"] as const;
const narrow = arrangements.slice(0, 6);
const floats = ["2s", "4s", "2d"] as const;
const widened = [["8b", "8h", ""], ["16b", "8h", "2"], ["4h", "4s", ""], ["8h", "4s", "2"], ["2s", "2d", ""], ["4s", "2d", "2"]] as const;

function sums(): string[] {
  return generals.flatMap(([r, bits]) => [
    ...["add", "sub", "adds", "subs", "and", "orr", "eor", "ands", "bic", "orn", "eon", "bics"].flatMap((name) => [`${name} ${r}0, ${r}1, ${r}2`, `${name} ${r}0, ${r}1, ${r}2, lsl #3`, `${name} ${r}0, ${r}1, ${r}2, asr #${String(bits - 1)}`]),
    ...["adc", "sbc", "adcs", "sbcs"].map((name) => `${name} ${r}0, ${r}1, ${r}2`),
    ...["add", "sub", "adds", "subs"].flatMap((name) => [`${name} ${r}0, ${r}1, #7`, `${name} ${r}0, ${r}1, #1, lsl #12`, `${name} ${r}0, ${r}1, #0`]),
    ...["uxtb", "uxth", "uxtw", "sxtb", "sxth", "sxtw"].flatMap((how) => [`add ${r}0, ${r}1, w2, ${how} #2`, `subs ${r}0, ${r}1, w2, ${how}`]),
    ...["and", "orr", "eor", "ands"].flatMap((name) => [`${name} ${r}0, ${r}1, #0xff00`, `${name} ${r}0, ${r}1, #0x7`, `${name} ${r}0, ${r}1, #0x${bits === 32 ? "aaaaaaaa" : "e00000000000000f"}`]),
    `movz ${r}0, #0x1234, lsl #16`, `movn ${r}0, #0x1234`, `movk ${r}0, #0xabcd, lsl #16`, `movk ${r}0, #0xabcd`,
    `cmp ${r}0, ${r}1`, `cmn ${r}0, ${r}1`, `tst ${r}0, ${r}1`, `neg ${r}0, ${r}1`, `negs ${r}0, ${r}1`, `ngc ${r}0, ${r}1`, `mvn ${r}0, ${r}1`,
  ]);
}

function bits(): string[] {
  return generals.flatMap(([r, width]) => [
    ...["lsl", "lsr", "asr", "ror"].flatMap((name) => [`${name} ${r}0, ${r}1, ${r}2`, `${name} ${r}0, ${r}1, #5`]),
    ...["ubfx", "sbfx", "ubfiz", "sbfiz", "bfi", "bfxil"].flatMap((name) => [`${name} ${r}0, ${r}1, #3, #7`, `${name} ${r}0, ${r}1, #8, #8`, `${name} ${r}0, ${r}1, #16, #16`, `${name} ${r}0, ${r}1, #0, #3`, `${name} ${r}0, ${r}1, #4, #${String(width - 4)}`]),
    `extr ${r}0, ${r}1, ${r}2, #9`, `extr ${r}0, ${r}1, ${r}2, #0`, `uxtb w0, w1`, `sxtb ${r}0, w1`, `sxth ${r}0, w1`,
    ...["rbit", "rev", "rev16", "clz", "cls"].map((name) => `${name} ${r}0, ${r}1`),
    ...["mul", "mneg", "udiv", "sdiv"].map((name) => `orr ${r}2, ${r}2, #1; ${name} ${r}0, ${r}1, ${r}2`),
    `madd ${r}0, ${r}1, ${r}2, ${r}3`, `msub ${r}0, ${r}1, ${r}2, ${r}3`,
  ]).concat(["sxtw x0, w1", "rev32 x0, x1", "smulh x0, x1, x2", "umulh x0, x1, x2", ...["smull", "umull", "smnegl", "umnegl"].map((name) => `${name} x0, w1, w2`), ...["smaddl", "umaddl", "smsubl", "umsubl"].map((name) => `${name} x0, w1, w2, x3`), ...["b", "h", "w"].flatMap((size) => [`crc32${size} w0, w1, w2`, `crc32c${size} w0, w1, w2`]), "crc32x w0, w1, x2", "crc32cx w0, w1, x2"]);
}

function choices(): string[] {
  return conditions.flatMap((condition) => [
    ...["csel", "csinc", "csinv", "csneg"].map((name) => `${name} x0, x1, x2, ${condition}`),
    `cset w0, ${condition}`, `csetm x0, ${condition}`, `cinc w0, w1, ${condition}`,
    `cmp x0, x1; cset w0, ${condition}`, `cmp w0, #3; cset w0, ${condition}`, `cmn w0, #3; cset w0, ${condition}`, `cmn x0, x1; cset w0, ${condition}`, `tst w0, w1; cset w0, ${condition}`, `fcmp d0, d1; cset w0, ${condition}`, `fcmp s0, #0.0; cset w0, ${condition}`,
    `ccmp x0, x1, #5, ${condition}`, `ccmp w0, #4, #8, ${condition}; cset w0, gt`, `ccmn w0, #4, #3, ${condition}; cset w0, ls`, `ccmn x0, x1, #0, ${condition}`,
    `fcsel d0, d1, d2, ${condition}`, `fcsel s0, s1, s2, ${condition}`, `fccmp d0, d1, #9, ${condition}; cset w0, le`, `adcs x0, x1, x2; cset w3, ${condition}`,
  ]);
}

function memory(): string[] {
  const found: string[] = [];
  for (const name of ["ldr w0", "ldr x0", "ldrb w0", "ldrh w0", "ldrsb w0", "ldrsb x0", "ldrsh w0", "ldrsh x0", "ldrsw x0", "str w1", "str x1", "strb w1", "strh w1", "ldr q0", "ldr d0", "ldr s0", "ldr h0", "ldr b0", "str q1", "str d1", "str s1", "str h1", "str b1"]) {
    found.push(`${name}, [x9, #16]`, `add x9, x9, #8; ${name}, [x9, #-5]`, `${name}, [x9], #3; sub x2, x9, x9`, `mov x3, x9; ${name}, [x3, #8]!; sub x3, x3, x9`, `and x2, x2, #15; ${name}, [x9, x2]`, `and w2, w2, #1; ${name}, [x9, w2, uxtw]`, `mov w2, #1; ${name}, [x9, w2, sxtw #${String(scaleOf(name))}]`);
  }
  for (const name of ["ldp w0, w1", "ldp x0, x1", "ldpsw x0, x1", "stp w0, w1", "stp x0, x1", "ldp q0, q1", "ldp d0, d1", "ldp s0, s1", "stp q0, q1", "stp d0, d1", "stp s0, s1"]) {
    found.push(`${name}, [x9, #16]`, `mov x3, x9; ${name}, [x3], #16; sub x3, x3, x9`, `mov x3, x9; ${name}, [x3, #16]!; sub x3, x3, x9`);
  }
  return [...found, ...structures()];
}

function scaleOf(name: string): number {
  const match = /^(?:ldr|str)(b|h|sb|sh|sw)? ([a-z])/.exec(name);
  const scale = { b: 0, sb: 0, h: 1, sh: 1, sw: 2 }[match?.[1] ?? ""];
  return scale ?? { w: 2, x: 3, q: 4, d: 3, s: 2, h: 1, b: 0 }[match?.[2] ?? "x"] ?? 0;
}

function structures(): string[] {
  const lists = (count: number, arrangement: string): string => `{${Array.from({ length: count }, (_, index) => `v${String(index)}.${arrangement}`).join(", ")}}`;
  const found: string[] = [];
  for (const arrangement of arrangements) {
    for (const count of [1, 2, 3, 4]) {
      found.push(`ld1 ${lists(count, arrangement)}, [x9]`, `st1 ${lists(count, arrangement)}, [x9]`);
      if (count > 1) found.push(`ld${String(count)} ${lists(count, arrangement)}, [x9]`, `st${String(count)} ${lists(count, arrangement)}, [x9]`);
      found.push(`ld${String(count)}r ${lists(count, arrangement)}, [x9]`);
    }
  }
  for (const lane of ["b", "h", "s", "d"]) {
    for (const count of [1, 2, 3, 4]) found.push(`ld${String(count)} ${lists(count, lane)}[1], [x9]`, `st${String(count)} ${lists(count, lane)}[0], [x9]`);
  }
  found.push("mov x3, x9; ld1 {v0.16b}, [x3], #16; sub x3, x3, x9", "mov x3, x9; and x2, x2, #7; ld1 {v0.8b}, [x3], x2; sub x3, x3, x9", "mov x3, x9; ld1 {v1.h}[5], [x3], #2; sub x3, x3, x9");
  return found;
}

function atomics(): string[] {
  const found: string[] = [];
  for (const suffix of ["", "a", "l", "al"]) for (const name of ["ldadd", "ldclr", "ldeor", "ldset", "ldsmax", "ldsmin", "ldumax", "ldumin", "swp"]) found.push(`${name}${suffix} w1, w0, [x9]`);
  for (const size of ["b", "h"]) for (const name of ["ldadd", "ldclr", "ldsmax", "ldumin", "swp"]) found.push(`${name}${size} w1, w0, [x9]`);
  for (const name of ["ldadd", "ldclr", "ldsmin", "ldumax", "swp"]) found.push(`${name} x1, x0, [x9]`);
  return [...found, "cas w0, w1, [x9]", "cas x0, x1, [x9]", "casb w0, w1, [x9]", "ldr x0, [x9]; casal x0, x1, [x9]", "ldar w0, [x9]", "ldarb w0, [x9]", "stlr x1, [x9]", "stlrh w1, [x9]", "ldaxr w0, [x9]; stlxr w2, w1, [x9]", "ldxp x0, x1, [x9]; stxp w3, x1, x0, [x9]", "stadd w1, [x9]", "ldapr x0, [x9]"];
}

function scalarFloats(): string[] {
  const found: string[] = [];
  for (const r of ["s", "d"]) {
    for (const name of ["fadd", "fsub", "fmul", "fnmul", "fdiv", "fmax", "fmin", "fmaxnm", "fminnm", "fabd"]) found.push(`${name} ${r}0, ${r}1, ${r}2`);
    for (const name of ["fabs", "fneg", "fsqrt", "fmov", "frintn", "frintp", "frintm", "frintz", "frinta", "frintx", "frinti"]) found.push(`${name} ${r}0, ${r}1`);
    for (const name of ["fmadd", "fmsub", "fnmadd", "fnmsub"]) found.push(`${name} ${r}0, ${r}1, ${r}2, ${r}3`);
    for (const g of ["w", "x"]) {
      for (const how of ["n", "p", "m", "z", "a"]) found.push(`fcvt${how}s ${g}0, ${r}1`, `fcvt${how}u ${g}0, ${r}1`);
      found.push(`scvtf ${r}0, ${g}1`, `ucvtf ${r}0, ${g}1`, `scvtf ${r}0, ${g}1, #7`, `fcvtzs ${g}0, ${r}1, #3`, `fcvtzu ${g}0, ${r}1, #3`);
    }
    found.push(`scvtf ${r}0, ${r}1`, `ucvtf ${r}0, ${r}1`, `fcvtzs ${r}0, ${r}1`, `fcvtzu ${r}0, ${r}1`, `fmov ${r}0, #-1.5`, `fmov ${r}0, #0.125`, `fcmp ${r}0, ${r}1`, `fcmpe ${r}0, ${r}1`, `faddp ${r}0, v1.2${r}`, `fmaxnmp ${r}0, v1.2${r}`, `fminp ${r}0, v1.2${r}`, `fmul ${r}0, ${r}1, v2.${r}[1]`, `fmla ${r}0, ${r}1, v2.${r}[1]`, `fcmgt ${r}0, ${r}1, ${r}2`, `fcmge ${r}0, ${r}1, #0.0`, `facge ${r}0, ${r}1, ${r}2`);
  }
  return [...found, "fcvt d0, s1", "fcvt s0, d1", "fmov w0, s1", "fmov x0, d1", "fmov s0, w1", "fmov d0, x1", "fmov x0, v1.d[1]", "fmov v0.d[1], x1"];
}

function vectorThree(): string[] {
  const found: string[] = [];
  for (const at of arrangements) {
    for (const name of ["add", "sub", "cmeq", "cmgt", "cmge", "cmhi", "cmhs", "cmtst", "sqadd", "uqadd", "sqsub", "uqsub", "sshl", "ushl", "addp"]) found.push(`${name} v0.${at}, v1.${at}, v2.${at}`);
    for (const name of ["zip1", "zip2", "uzp1", "uzp2", "trn1", "trn2"]) found.push(`${name} v0.${at}, v1.${at}, v2.${at}`);
  }
  for (const at of narrow) for (const name of ["mul", "mla", "mls", "smax", "smin", "umax", "umin", "shadd", "uhadd", "srhadd", "urhadd", "shsub", "uhsub", "sabd", "uabd", "saba", "uaba", "smaxp", "sminp", "umaxp", "uminp"]) found.push(`${name} v0.${at}, v1.${at}, v2.${at}`);
  for (const at of ["8b", "16b"]) for (const name of ["and", "orr", "eor", "bic", "orn", "bsl", "bit", "bif"]) found.push(`${name} v0.${at}, v1.${at}, v2.${at}`);
  for (const at of floats) for (const name of ["fadd", "fsub", "fmul", "fdiv", "fmla", "fmls", "fmax", "fmin", "fmaxnm", "fminnm", "fabd", "fcmeq", "fcmge", "fcmgt", "facge", "facgt", "faddp", "fmaxp", "fminnmp"]) found.push(`${name} v0.${at}, v1.${at}, v2.${at}`);
  for (const [from, to, two] of widened) {
    for (const name of ["saddl", "uaddl", "ssubl", "usubl", "sabdl", "uabdl", "sabal", "uabal", "smull", "umull", "smlal", "umlal", "smlsl", "umlsl"]) found.push(`${name}${two} v0.${to}, v1.${from}, v2.${from}`);
    for (const name of ["saddw", "uaddw", "ssubw", "usubw"]) found.push(`${name}${two} v0.${to}, v1.${to}, v2.${from}`);
    for (const name of ["addhn", "subhn", "raddhn", "rsubhn"]) found.push(`${name}${two} v0.${from}, v1.${to}, v2.${to}`);
  }
  for (const [at, lane] of [["4h", "h"], ["8h", "h"], ["2s", "s"], ["4s", "s"]] as const) for (const name of ["mul", "mla", "mls"]) found.push(`${name} v0.${at}, v1.${at}, v2.${lane}[1]`);
  for (const name of ["smull", "umull", "smlal", "umlal", "smlsl", "umlsl"]) found.push(`${name} v0.4s, v1.4h, v2.h[3]`, `${name}2 v0.2d, v1.4s, v2.s[2]`);
  for (const [at, lane] of [["2s", "s"], ["4s", "s"], ["2d", "d"]] as const) for (const name of ["fmul", "fmla", "fmls"]) found.push(`${name} v0.${at}, v1.${at}, v2.${lane}[1]`);
  for (const name of ["add", "sub", "cmeq", "cmgt", "cmhs", "sshl", "ushl", "uqadd", "sqsub"]) found.push(`${name} d0, d1, d2`);
  return found;
}

function vectorTwo(): string[] {
  const found: string[] = [];
  for (const at of arrangements) {
    for (const name of ["abs", "neg"]) found.push(`${name} v0.${at}, v1.${at}`);
    for (const name of ["cmeq", "cmgt", "cmge", "cmlt", "cmle"]) found.push(`${name} v0.${at}, v1.${at}, #0`);
  }
  for (const at of narrow) found.push(`clz v0.${at}, v1.${at}`, `cls v0.${at}, v1.${at}`);
  for (const at of ["8b", "16b"]) found.push(`cnt v0.${at}, v1.${at}`, `mvn v0.${at}, v1.${at}`, `rbit v0.${at}, v1.${at}`, `rev16 v0.${at}, v1.${at}`, `rev32 v0.${at}, v1.${at}`);
  for (const at of narrow) found.push(`rev64 v0.${at}, v1.${at}`);
  found.push("rev32 v0.8h, v1.8h");
  for (const at of floats) {
    for (const name of ["fabs", "fneg", "fsqrt", "frintn", "frintp", "frintm", "frintz", "frinta", "frintx", "frinti", "scvtf", "ucvtf"]) found.push(`${name} v0.${at}, v1.${at}`);
    for (const how of ["n", "p", "m", "z", "a"]) found.push(`fcvt${how}s v0.${at}, v1.${at}`, `fcvt${how}u v0.${at}, v1.${at}`);
    for (const name of ["fcmeq", "fcmgt", "fcmge", "fcmlt", "fcmle"]) found.push(`${name} v0.${at}, v1.${at}, #0.0`);
    found.push(`scvtf v0.${at}, v1.${at}, #4`, `fcvtzu v0.${at}, v1.${at}, #4`);
  }
  for (const [from, to, two] of widened) {
    for (const name of ["xtn", "sqxtn", "uqxtn", "sqxtun"]) found.push(`${name}${two} v0.${from}, v1.${to}`);
    found.push(`sxtl${two} v0.${to}, v1.${from}`, `uxtl${two} v0.${to}, v1.${from}`, `shll${two} v0.${to}, v1.${from}, #${from.endsWith("b") ? "8" : from.endsWith("h") ? "16" : "32"}`);
    found.push(`sshll${two} v0.${to}, v1.${from}, #3`, `ushll${two} v0.${to}, v1.${from}, #3`);
    for (const name of ["shrn", "rshrn", "sqshrn", "uqshrn", "sqrshrn", "uqrshrn", "sqshrun", "sqrshrun"]) found.push(`${name}${two} v0.${from}, v1.${to}, #3`);
  }
  for (const [from, to] of [["8b", "4h"], ["16b", "8h"], ["4h", "2s"], ["8h", "4s"], ["2s", "1d"], ["4s", "2d"]] as const) for (const name of ["saddlp", "uaddlp", "sadalp", "uadalp"]) found.push(`${name} v0.${to}, v1.${from}`);
  for (const [at, lane, wide] of [["8b", "b", "h"], ["16b", "b", "h"], ["4h", "h", "s"], ["8h", "h", "s"], ["4s", "s", "d"]] as const) {
    for (const name of ["addv", "smaxv", "sminv", "umaxv", "uminv"]) found.push(`${name} ${lane}0, v1.${at}`);
    found.push(`saddlv ${wide}0, v1.${at}`, `uaddlv ${wide}0, v1.${at}`);
  }
  for (const name of ["fmaxnmv", "fminnmv", "fmaxv", "fminv"]) found.push(`${name} s0, v1.4s`);
  for (const at of arrangements) for (const name of ["sshr", "ushr", "ssra", "usra", "srshr", "urshr", "srsra", "ursra", "shl", "sli", "sri"]) found.push(`${name} v0.${at}, v1.${at}, #3`);
  found.push("ushr v0.16b, v1.16b, #8", "sshr v0.4s, v1.4s, #32", "sshr d0, d1, #5", "ushr d0, d1, #64", "shl d0, d1, #5", "addp d0, v1.2d", "abs d0, d1", "neg d0, d1", "cmlt d0, d1, #0", "sqxtn s0, d1", "uqxtn b0, h1", "sqxtun h0, s1", "fcvtl v0.2d, v1.2s", "fcvtl2 v0.2d, v1.4s", "fcvtn v0.2s, v1.2d", "fcvtn2 v0.4s, v1.2d");
  return found;
}

function vectorMoves(): string[] {
  const found: string[] = [];
  for (const [at, lane, from] of [["8b", "b", "w"], ["16b", "b", "w"], ["4h", "h", "w"], ["8h", "h", "w"], ["2s", "s", "w"], ["4s", "s", "w"], ["2d", "d", "x"]] as const) {
    found.push(`dup v0.${at}, v1.${lane}[1]`, `dup v0.${at}, ${from}1`);
  }
  for (const [lane, from] of [["b", "w"], ["h", "w"], ["s", "w"], ["d", "x"]] as const) {
    found.push(`ins v0.${lane}[1], ${from}1`, `ins v0.${lane}[0], v1.${lane}[1]`, `umov ${from}0, v1.${lane}[1]`, `dup ${lane}0, v1.${lane}[1]`);
    if (lane !== "d") found.push(`smov x0, v1.${lane}[1]`);
    if (lane !== "d" && lane !== "s") found.push(`smov w0, v1.${lane}[3]`);
  }
  for (const imm of ["#1", "#8", "#11"]) found.push(`ext v0.16b, v1.16b, v2.16b, ${imm}`);
  found.push("ext v0.8b, v1.8b, v2.8b, #3");
  for (const at of ["8b", "16b"]) {
    found.push(`movi v3.16b, #31; and v3.16b, v3.16b, v2.16b; tbl v0.${at}, {v1.16b}, v3.${at}`, `movi v3.16b, #63; and v3.16b, v3.16b, v2.16b; tbl v0.${at}, {v1.16b, v2.16b}, v3.${at}`, `movi v3.16b, #31; and v3.16b, v3.16b, v2.16b; tbx v0.${at}, {v1.16b}, v3.${at}`, `tbl v0.${at}, {v0.16b, v1.16b, v2.16b, v3.16b}, v1.${at}`);
  }
  for (const imm of ["movi v0.16b, #0x5a", "movi v0.8b, #0x5a", "movi v0.4s, #0x5a, lsl #16", "movi v0.8h, #0x5a, lsl #8", "movi v0.4s, #0x5a, msl #8", "movi v0.2s, #0x5a, msl #16", "movi v0.2d, #0xff00ff0000ffff00", "movi d0, #0xff00ff0000ffff00", "mvni v0.4s, #0x5a, lsl #8", "mvni v0.8h, #0x5a", "mvni v0.4s, #0x5a, msl #8", "orr v0.4s, #0x5a, lsl #8", "bic v0.8h, #0x5a", "bic v0.2s, #0x5a, lsl #24", "fmov v0.4s, #1.5", "fmov v0.2s, #-0.25", "fmov v0.2d, #3.0"]) found.push(imm);
  return found;
}

export const arm64Forms: readonly FormFamily[] = [
  { name: "sums and logic", forms: sums() },
  { name: "bits and products", forms: bits() },
  { name: "conditions", forms: choices() },
  { name: "loads and stores", forms: memory() },
  { name: "atomic operations", forms: atomics() },
  { name: "scalar floating point", forms: scalarFloats() },
  { name: "vectors of three registers", forms: vectorThree() },
  { name: "vectors of two registers", forms: vectorTwo() },
  { name: "vector moves", forms: vectorMoves() },
];
