export { createScriptReader, type OwnedScriptReader } from "./reader/script-reader.js";
