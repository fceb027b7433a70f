export { createGhidraProvider, type GhidraProviderOptions } from "./ghidra-provider.js";
