export { readMachO, type MachOImage } from "./image.js";
export { isUniversal, readUniversal, selectSlice } from "./universal.js";
