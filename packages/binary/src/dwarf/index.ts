export { CallFrameReader, readCallFrames, readFrameAt, type CallFrameSection } from "./call-frames.js";
export { omittedPointer, readNumber, readPointer, type Cursor, type PointerBases } from "./encoded-pointer.js";
