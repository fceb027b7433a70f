import type { RegisterDecoder, RegisterFile, RegisterModel } from "../register-access.js";
import type { Iced } from "./code-table.js";
import { X86RegisterDecoder } from "./x86-register-decoder.js";
import { X86RegisterUses } from "./x86-register-uses.js";

const general64 = ["rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15"];
const general32 = ["eax", "ecx", "edx", "ebx", "esp", "ebp", "esi", "edi"];

/** Register access of x86, from the decoder's own tables of what each instruction uses. */
export class X86RegisterModel implements RegisterModel {
  readonly file: RegisterFile;
  readonly #iced: Iced;
  readonly #bits: number;
  readonly #uses: X86RegisterUses;

  constructor(iced: Iced, bits: 32 | 64) {
    this.#iced = iced;
    this.#bits = bits;
    this.#uses = new X86RegisterUses(iced, bits);
    this.file = {
      general: bits === 64 ? general64 : general32,
      vector: Array.from({ length: bits === 64 ? 32 : 8 }, (_, index) => `xmm${String(index)}`),
      stackPointer: 4,
      framePointer: 5,
      wordBytes: bits / 8,
      returnAddressBytes: bits / 8,
    };
  }

  open(bytes: Uint8Array, start: number): RegisterDecoder {
    return new X86RegisterDecoder(this.#uses, { iced: this.#iced, bits: this.#bits, bytes, start });
  }
}
