export type * from "./image.js";
export { openImage, type OpenImageOptions } from "./open-image.js";
export { rawImage, type RawOptions } from "./raw-image.js";
export { openFileSource, type FileIdentity, type FileSource } from "./file-source.js";
export { contentFormat, detectFormat, isArchiveFormat, type DetectedFormat } from "./detect.js";
export { availableArchitectures, listArchitectures } from "./list-architectures.js";
export { inspectBinary, type InspectBinaryParams } from "./inspect-binary.js";
export { inspectMacho } from "./inspect-macho.js";
export { decodeText, scanSourceStrings, scanStrings, type StringEncoding, type StringRow, type StringScan, type StringScanOptions } from "./strings.js";
export { stringRegions } from "./string-regions.js";
export { demangle, looksMangled } from "./demangle/index.js";
export * from "./dwarf/debug/index.js";
export { exceptionSites, type ExceptionSite } from "./dwarf/index.js";
export { entropyMillibits } from "./entropy.js";
export { goFunctions, type GoFunction } from "./go-pclntab.js";
export { guessToolchain, type Toolchain } from "./toolchain.js";
export { payloadHintSteps, type ContainerHint } from "./container-hints.js";
export { decodeName, escapeName } from "./name-text.js";
export { propertyListString } from "./plist.js";
export {
  isBinaryList,
  parseKeyPath,
  plistEntry,
  plistJson,
  plistProblems,
  propertyListSteps,
  readPropertyList,
  valueAt,
  type PlistValue,
  type PropertyList,
} from "./plist/index.js";
export type { PeImage } from "./pe/index.js";
export { readObjcMetadata } from "./objc/read-objc.js";
export type * from "./objc/model.js";
export { readSwiftMetadata } from "./swift/read-swift.js";
export type * from "./swift/model.js";
export type { MetadataPlace } from "./metadata-memory.js";
export { inspectSignature, inspectSignatureSteps, type InspectSignatureParams, type SignatureResult } from "./signature/inspect-signature.js";
export { bundleFilesOf } from "./signature/bundle-files.js";
export { indirectDigest, readSignedData, type SignedData } from "./signature/signed-data.js";
export { certificateFacts, checkRawSignature, publicKeyOf, type RawSignature } from "./signature/raw-signature.js";
export { namedPeResource } from "./pe/named-resource.js";
