/** Without WebAssembly, documents are fingerprinted by the functions of src/scheme/ that are changed. */
Reflect.deleteProperty(globalThis, 'WebAssembly');
