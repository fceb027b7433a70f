export type * from "./image.js";
export { openImage } from "./open-image.js";
