export { readElf } from "./elf-image.js";
export { hasElfMagic } from "./file-header.js";
