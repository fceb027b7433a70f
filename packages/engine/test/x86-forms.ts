/** Instructions (or short sequences) over rax, rcx, rdx, rbx, memory at rsi, xmm0 … xmm2; without what faults. */
function forms(): string[] {
  const found: string[] = [];
  const widths = [["al", "cl", "byte"], ["ax", "cx", "word"], ["eax", "ecx", "dword"], ["rax", "rcx", "qword"]] as const;
  for (const [a, c, size] of widths) {
    for (const name of ["add", "sub", "adc", "sbb", "and", "or", "xor", "cmp", "test"]) found.push(`${name} ${a}, ${c}`, `${name} ${size} ptr [rsi+8], ${c}`, `${name} ${a}, 0x11`);
    for (const name of ["inc", "dec", "neg", "not"]) found.push(`${name} ${a}`, `${name} ${size} ptr [rsi]`);
    for (const name of ["shl", "shr", "sar", "rol", "ror"]) found.push(`${name} ${a}, cl`, `${name} ${a}, 1`, `${name} ${a}, 5`);
    for (const name of ["mul", "imul"]) found.push(`${name} ${c}`);
    found.push(`mov ${a}, ${c}`, `mov ${a}, ${size} ptr [rsi+4]`, `xchg ${a}, ${c}`, `xadd ${a}, ${c}`, `cmpxchg ${c}, ${a}`);
    if (size === "byte") continue;
    for (const name of ["bt", "bts", "btr", "btc"]) found.push(`${name} ${a}, ${c}`, `${name} ${a}, 3`);
    for (const name of ["bsf", "bsr"]) found.push(`or ${c}, 1; ${name} ${a}, ${c}`);
    found.push(`imul ${a}, ${c}`, `imul ${a}, ${c}, 77`, `shld ${a}, ${c}, 3`, `shrd ${a}, ${c}, 7`);
  }
  for (const condition of ["o", "no", "b", "ae", "e", "ne", "be", "a", "s", "ns", "p", "np", "l", "ge", "le", "g"]) {
    found.push(`set${condition} al`, `cmov${condition} eax, ecx`, `cmp rax, rcx; set${condition} bl`, `test ecx, ecx; cmov${condition} rax, rcx`, `add eax, ecx; set${condition} dl`);
    found.push(`ucomisd xmm0, xmm1; set${condition} al`, `ucomiss xmm0, xmm0; set${condition} al`, `dec ecx; set${condition} al`);
  }
  found.push("movzx eax, cl", "movzx eax, cx", "movsx eax, cl", "movsx rax, cx", "movsxd rax, ecx", "mov ah, cl", "mov al, ch", "cdq", "cqo", "cwde", "cdqe", "cbw", "bswap eax", "bswap rax");
  found.push("lea rax, [rcx+rdx*4+8]", "lea eax, [ecx+edx*2-3]", "cmc", "stc", "clc", "lahf", "push rcx; pop rax");
  for (const [a, c, d] of [["eax", "ecx", "edx"], ["rax", "rcx", "rdx"]] as const) found.push(`or ${c}, 1; xor ${d}, ${d}; div ${c}`, `or ${c}, 3; ${a === "eax" ? "cdq" : "cqo"}; idiv ${c}`);
  found.push(...vectorForms());
  return found;
}

function vectorForms(): string[] {
  const found: string[] = [];
  const both = (name: string): void => {
    found.push(`${name} xmm0, xmm1`);
  };
  for (const name of ["add", "sub", "mul", "div", "min", "max"]) for (const suffix of ["ss", "sd", "ps", "pd"]) both(name + suffix);
  for (const suffix of ["ss", "sd", "ps", "pd"]) {
    both(`sqrt${suffix}`);
    for (let test = 0; test < 8; test += 1) found.push(`cmp${suffix} xmm0, xmm1, ${String(test)}`);
  }
  for (const suffix of ["b", "w", "d", "q"]) ["padd", "psub"].forEach((name) => { both(name + suffix); });
  for (const suffix of ["b", "w", "d"]) ["pcmpeq", "pcmpgt", "punpckl", "punpckh"].forEach((name) => { both(name + (name.startsWith("punpck") ? { b: "bw", w: "wd", d: "dq" }[suffix] ?? "" : suffix)); });
  for (const name of ["pand", "por", "pxor", "pandn", "andps", "orpd", "xorps", "andnps", "punpcklqdq", "punpckhqdq", "unpcklps", "unpckhps", "unpcklpd", "unpckhpd", "packsswb", "packssdw", "packuswb"]) both(name);
  for (const name of ["pminub", "pmaxub", "pminsw", "pmaxsw", "pavgb", "pavgw", "paddusb", "paddusw", "psubusb", "psubusw", "paddsb", "paddsw", "psubsb", "psubsw"]) both(name);
  for (const name of ["pmullw", "pmulhw", "pmulhuw", "pmuludq", "pmaddwd", "psadbw", "movhlps", "movlhps", "movaps", "movss", "movsd", "movq"]) both(name);
  for (const name of ["psllw", "pslld", "psllq", "psrlw", "psrld", "psrlq", "psraw", "psrad"]) found.push(`${name} xmm0, 3`, `${name} xmm0, 40`, `movd xmm1, ecx; ${name} xmm0, xmm1`);
  for (const name of ["pshufd", "pshuflw", "pshufhw", "shufps"]) for (const how of [0, 0x1b, 0xe5, 0x4e]) found.push(`${name} xmm0, xmm1, ${String(how)}`);
  found.push("shufpd xmm0, xmm1, 1", "shufpd xmm0, xmm1, 2", "pslldq xmm0, 5", "psrldq xmm0, 4", "movd eax, xmm0", "movq rax, xmm0", "movd xmm0, ecx", "movq xmm0, rcx", "pmovmskb eax, xmm0; mov eax, eax");
  found.push("movmskps eax, xmm0", "movmskpd eax, xmm0", "pinsrw xmm0, ecx, 3", "pextrw eax, xmm0, 5", "movss xmm0, dword ptr [rsi]", "movsd xmm0, qword ptr [rsi+8]", "movdqu xmm0, [rsi+3]", "movhps xmm0, [rsi]", "movlps xmm0, [rsi]", "movhps [rsi], xmm0", "movss [rsi+4], xmm1");
  found.push("cvtsi2ss xmm0, ecx", "cvtsi2sd xmm0, ecx", "cvtsi2ss xmm0, rcx", "cvtsi2sd xmm0, rcx", "cvtss2sd xmm0, xmm1", "cvtsd2ss xmm0, xmm1", "cvttss2si eax, xmm1", "cvttsd2si eax, xmm1", "cvttss2si rax, xmm1", "cvttsd2si rax, xmm1", "cvtss2si eax, xmm1", "cvtsd2si rax, xmm1");
  found.push("cvtdq2ps xmm0, xmm1", "cvtdq2pd xmm0, xmm1", "cvtps2pd xmm0, xmm1", "cvtpd2ps xmm0, xmm1", "cvttps2dq xmm0, xmm1", "cvttpd2dq xmm0, xmm1", "cvtps2dq xmm0, xmm1");
  return found;
}

export const x86Forms: readonly string[] = forms();
