export { readPe, type PeImage } from "./image.js";
export type { PeRole } from "./role.js";
