export { readPe, type PeImage } from "./image.js";
