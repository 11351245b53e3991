/** Declares the part of the global WebAssembly that is used here, because the TypeScript libraries for Node.js do not contain it. */
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
