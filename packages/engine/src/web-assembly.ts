/**
 * The used part of the standard: @types/node 20 does not declare it, and the types of the DOM declare much
 * else.
 */
type WebAssemblyApi = {
  Memory: {
    new (options: { initial: number; maximum: number; shared: true }): SharedMemory;
    new (options: { initial: number; maximum: number }): OwnMemory;
  };
  Module: new (bytes: Uint8Array) => object;
  Instance: new (
    module: object,
    imports: { env: { memory: SharedMemory | OwnMemory } },
  ) => { exports: unknown };
};

/** A WebAssembly.Memory, which threads can send to each other. Its buffer is replaced when it grows. */
export type SharedMemory = { readonly buffer: SharedArrayBuffer };

/** A WebAssembly.Memory of one thread. Its buffer is replaced when it grows; `grow` throws RangeError. */
export type OwnMemory = { readonly buffer: ArrayBuffer; grow(pages: number): number };

export const { Memory, Module, Instance } = (globalThis as unknown as { WebAssembly: WebAssemblyApi })
  .WebAssembly;
