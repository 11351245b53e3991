/** The part of the global that is used here; the libraries that TypeScript is given for Node.js leave it out. */
declare namespace WebAssembly {
  class Module {
    constructor(bytes: Uint8Array);
  }
  class Instance {
    readonly exports: Readonly<Record<string, unknown>>;
    constructor(module: Module, imports: Readonly<Record<string, object>>);
  }
  interface Memory {
    readonly buffer: ArrayBuffer;
  }
}
