/** What the stand-in for Ghidra is given as a program; addresses are `0x…`, `EXTERNAL:0x…` or `OTHER:0x…`. */
export interface StubProgram {
  readonly image_base?: string;
  readonly big_endian?: boolean;
  /** What the program says of its file; default: the true digest. */
  readonly sha256?: string;
  readonly analysis_timed_out?: boolean;
  /** Compile the session's own copy of the bridge, as the real Ghidra does. */
  readonly compile?: boolean;
  /** How it misbehaves instead of running the bridge. */
  readonly fault?: string;
  readonly types?: readonly object[];
  readonly blocks?: readonly object[];
  readonly functions?: readonly object[];
  readonly symbols?: readonly object[];
  readonly instructions?: readonly object[];
  readonly data?: readonly object[];
  readonly references?: readonly object[];
  readonly comments?: readonly object[];
}

const register = 0x200;
const scalar = 0x4000;
const address = 0x2000;
const memory = 0x404000;

/** A text as code units, which need not make a well-formed whole. */
export function units(...codes: number[]): readonly number[] {
  return codes;
}

/** Three functions, two imports (one with a stub, one with a slot), strings, comments and a switch. */
export function smallProgram(more: Partial<StubProgram> = {}): StubProgram {
  return {
    image_base: "0x400000",
    blocks: [
      { name: ".plt", start: "0x400800", size: 0x20, permissions: "rx", file_offset: 0x800 },
      { name: ".text", start: "0x401000", size: 0x200, permissions: "rx", file_offset: 0x1000 },
      { name: ".rodata", start: "0x402000", size: 0x100, permissions: "r", file_offset: 0x2000 },
      { name: ".data", start: "0x403000", size: 0x100, permissions: "rw", file_offset: 0x3000 },
      { name: ".bss", start: "0x404000", size: 0x100, permissions: "rw" },
      { name: ".comment", start: "OTHER:0x0", size: 0x20, permissions: "", file_offset: 0x3100 },
    ],
    functions: [
      {
        name: "main",
        entry: "0x401000",
        size: 0x20,
        entry_point: true,
        prototype: "int main(int argc, char * * argv)",
        convention: "__stdcall",
        returns: "int",
        parameters: [
          { name: "argc", type: "int", storage: "EDI:4" },
          { name: "argv", type: "char * *", storage: "RSI:8" },
        ],
        locals: [{ name: "local_10", type: "undefined8", storage: "Stack[-0x10]:8" }],
        pseudocode: "int main(int argc,char **argv)\n\n{\n  helper(\"hello, world\");\n  return 0;\n}\n",
      },
      { name: "helper", entry: "0x401040", size: 0x10 },
      {
        name: "FUN_00401080",
        entry: "0x401080",
        size: 0x20,
        source: "default",
        jump_tables: [
          {
            jump: "0x401082",
            table: "0x402080",
            cases: ["0x401084", "0x401084", "0x401084", "0x401086", "0x401088"],
            labels: [0, 1, 2, 7, 0xbad1abe1 | 0],
          },
        ],
      },
      { name: "puts", entry: "EXTERNAL:0x1", namespace: "libc.so.6" },
      { name: "puts", entry: "0x400800", size: 0x10, thunk_of: "EXTERNAL:0x1" },
      { name: "ExitProcess", entry: "EXTERNAL:0x2", namespace: "KERNEL32.DLL" },
    ],
    symbols: [
      { name: "counter", at: "0x404000", entry_point: true },
      { name: "LAB_00401010", at: "0x401010", source: "default", dynamic: true },
      { name: "main_alias", at: "0x401000" },
    ],
    instructions: [
      { at: "0x400800", bytes: "ff2500284000", text: "JMP qword ptr [0x403010]", flow: "computed_jump", operands: [memory] },
      { at: "0x401000", bytes: "55", text: "PUSH RBP", operands: [register] },
      { at: "0x401001", bytes: "4889e5", text: "MOV RBP,RSP", operands: [register, register] },
      { at: "0x401004", bytes: "bf00204000", text: "MOV EDI,0x402000", operands: [register, scalar] },
      { at: "0x401009", bytes: "e832000000", text: "CALL 0x00401040", flow: "call", operands: [address] },
      { at: "0x40100e", bytes: "ff1500304000", text: "CALL qword ptr [0x403000]", flow: "computed_call", operands: [memory] },
      { at: "0x401014", bytes: "75ea", text: "JNZ 0x00401000", flow: "conditional_jump", operands: [address] },
      { at: "0x401016", bytes: "c3", text: "RET", flow: "return" },
      { at: "0x401040", bytes: "e8bbf7ffff", text: "CALL 0x00400800", flow: "call", operands: [address] },
      { at: "0x401045", bytes: "ffd0", text: "CALL RAX", flow: "computed_call", operands: [register] },
      { at: "0x401047", bytes: "e9b4ffffff", text: "JMP 0x00401000", flow: "jump", operands: [address] },
      { at: "0x401080", bytes: "6690", text: "NOP" },
      { at: "0x401082", bytes: "ffe0", text: "JMP RAX", flow: "computed_jump", operands: [register] },
      { at: "0x401084", bytes: "6690", text: "NOP" },
      { at: "0x401086", bytes: "6690", text: "NOP" },
      { at: "0x401088", bytes: "c3", text: "RET", flow: "return" },
    ],
    data: [
      { at: "0x402000", length: 13, string: "hello, world" },
      { at: "0x402010", length: 14, string: "größer", charset: "UTF-8" },
      { at: "0x402020", length: 12, string: "wide\u{1f600}", charset: "UTF-16", unterminated: true },
      { at: "0x402040", length: 16, array: true, components: [{ at: "0x402040", length: 8, string: "first" }, { at: "0x402048", length: 8, string: "second" }] },
      { at: "0x402060", length: 8, string: units(0x61, 0xd800, 0x62), charset: "UTF-16" },
      { at: "0x403000", length: 8 },
    ],
    references: [
      { from: "0x401004", to: "0x402000", type: "data", operand: 1 },
      { from: "0x401009", to: "0x401040", type: "call", operand: 0 },
      { from: "0x40100e", to: "0x403000", type: "indirection", operand: 0 },
      { from: "0x401014", to: "0x401000", type: "conditional_jump", operand: 0 },
      { from: "0x401040", to: "0x400800", type: "call", operand: 0 },
      { from: "0x401047", to: "0x401000", type: "jump", operand: 0 },
      { from: "0x401082", to: "0x401084", type: "computed_jump" },
      { from: "0x401082", to: "0x401086", type: "computed_jump" },
      { from: "0x401082", to: "0x401088", type: "computed_jump" },
      { from: "0x403000", to: "EXTERNAL:0x2", type: "data" },
      { from: "0x400800", to: "EXTERNAL:0x1", type: "computed_call" },
    ],
    comments: [
      { at: "0x401004", type: "EOL", text: "the greeting" },
      { at: "0x401000", type: "PLATE", text: "where it\nbegins" },
    ],
    ...more,
  };
}

/** A file that holds a program for the stand-in, behind the bytes of any other file. */
export function programFile(program: StubProgram, before: Uint8Array = Buffer.from("\u007fELF")): Buffer {
  return Buffer.concat([before, Buffer.from(`\nstand-in:${JSON.stringify(program)}`)]);
}
