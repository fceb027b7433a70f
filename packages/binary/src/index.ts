export type * from "./image.js";
export { openImage } from "./open-image.js";
export { propertyListString } from "./plist.js";
