export { readElf } from "./elf-image.js";
