export { readMachO, type MachOImage } from "./image.js";
export { isUniversal, readUniversal, type UniversalSlice } from "./universal.js";
