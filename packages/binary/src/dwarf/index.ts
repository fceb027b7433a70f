export { CallFrameReader, readCallFrames, readFrameAt } from "./call-frames.js";
export { omittedPointer, readPointer, type Cursor, type PointerBases } from "./encoded-pointer.js";
export { exceptionSites, type ExceptionSite } from "./exception-sites.js";
