/** The part of the WebAssembly interface (W3C "WebAssembly JavaScript Interface") used here; Node's types leave it to DOM. */
declare global {
  namespace WebAssembly {
    type Imports = Record<string, Record<string, unknown>>;
    class Module {
      private readonly compiled: true;
    }
    class Memory {
      readonly buffer: ArrayBuffer;
    }
    class Instance {
      constructor(module: Module, imports: Imports);
      readonly exports: Readonly<Record<string, unknown>>;
    }
    function compile(bytes: Uint8Array): Promise<Module>;
  }
}

export type WasmImports = WebAssembly.Imports;
export type WasmInstance = WebAssembly.Instance;
export type WasmMemory = WebAssembly.Memory;
