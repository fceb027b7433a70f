export {
  createFakeProvider,
  fakeAvailable,
  fakeSupported,
  fakeUnavailable,
  fakeUnsupported,
  type FakeAnswer,
  type FakeProvider,
  type FakeProviderOptions,
} from "./fake-provider.js";
export { corpusFile, corpusPackages, type CorpusFile, type CorpusPackage } from "./corpus.js";
export { appleApp } from "./apple-app.js";
export { car, celm, color, linkRecord, rawd, utiRecord, type CarParts } from "./car-builder.js";
export { nibArchive, payScene, type NibObject } from "./nib-builder.js";
export { testProvider, type ProviderFixture, type ProviderSuite } from "./provider-suite.js";
export { JsonRpcProcess, textOf, type Frame, type ToolResult } from "./json-rpc-process.js";
export { EngineRoom, roomsAbsent } from "./provider-room.js";
export { writeRogueEngine, type RogueFault } from "./provider-rogue.js";
export { testProviderFaults, type ProviderFault } from "./provider-faults.js";
export { generateCProgram, type CProgram } from "./c-programs/c-program.js";
export { programTarget } from "./program-target.js";
