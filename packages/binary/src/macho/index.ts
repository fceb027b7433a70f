export { readMachO, type MachOImage } from "./image.js";
export { isUniversal, readUniversal, selectSlice, type UniversalSlice } from "./universal.js";
