export { isBinaryList, propertyListSteps, readPropertyList } from "./read-list.js";
export { plistEntry, type PlistValue, type PropertyList } from "./property-list.js";
export { plistJson, plistProblems } from "./plist-json.js";
export { parseKeyPath, valueAt } from "./key-path.js";
