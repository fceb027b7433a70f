// Dependency-cruiser rules, generated from the layers.
import { development, homes, layers, narrowed, processHome, pureNodeModules } from "./layers.mjs";

const productPackages = layers.flat();
const testFile = String.raw`\.test\.ts$|^(packages|apps)/[^/]+/test/`;
const isInside = (directories) => `^(${directories.map(escape).join("|")})/`;

export function boundaryRules() {
  return [
    ...layers.flatMap((layer, depth) => layerRules(layer, depth)),
    ...Object.entries(narrowed).map(([directory, allowed]) => narrowedRule(directory, allowed)),
    ...productPackages.map(libraryRule),
    developmentRule(),
    unlistedPackageRule(),
    ...fileRules(),
    ...powerRules(),
  ];
}

function layerRules(layer, depth) {
  const above = layers.slice(depth + 1).flat();
  const rules = [];
  if (above.length > 0) {
    rules.push({
      name: `upward-from-layer-${depth}`,
      comment: "Imports point down. What the lower package needs from above is handed to it, or moves down.",
      severity: "error",
      from: { path: isInside(layer) },
      to: { path: isInside(above) },
    });
  }
  if (layer.length > 1) {
    rules.push({
      name: `sideways-in-layer-${depth}`,
      comment: "Packages of one layer never import each other. What they share belongs below them.",
      severity: "error",
      from: { path: isInside(layer) },
      to: { path: isInside(layer), pathNot: "^$1/" },
    });
  }
  return rules;
}

function narrowedRule(directory, allowed) {
  return {
    name: `narrow-${shortName(directory)}`,
    comment: `${directory} imports only ${allowed.join(", ")}.`,
    severity: "error",
    from: { path: isInside([directory]), pathNot: testFile },
    to: { path: "^(packages|apps)/", pathNot: isInside([directory, ...allowed]) },
  };
}

function libraryRule(directory) {
  const own = (homes[directory] ?? []).map((library) => `(^|/)node_modules/${escape(library)}/`);
  return {
    name: `foreign-library-${shortName(directory)}`,
    comment: "A third-party library has one home package (scripts/layers.mjs); ask that package.",
    severity: "error",
    from: { path: isInside([directory]), pathNot: testFile },
    // Paths look like `node_modules/.pnpm/zod@4/node_modules/zod/index.js`.
    to: { path: "(^|/)node_modules/", ...(own.length > 0 ? { pathNot: own.join("|") } : {}) },
  };
}

function developmentRule() {
  return {
    name: "development-package-in-product",
    comment: "testkit, docgen and bench serve tests and maintainers; product code stands without them.",
    severity: "error",
    from: { path: isInside(productPackages), pathNot: testFile },
    to: { path: isInside(development) },
  };
}

function unlistedPackageRule() {
  return {
    name: "package-without-layer",
    comment: "Every package has a place in scripts/layers.mjs.",
    severity: "error",
    from: { path: "^(packages|apps)/", pathNot: isInside([...productPackages, ...development]) },
    to: {},
  };
}

function fileRules() {
  return [
    {
      name: "file-cycle",
      comment: "Two files that need each other are one idea, or hide a third one.",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    {
      name: "unresolvable",
      comment: "Undeclared dependency, typing error, or a deep import into another package.",
      severity: "error",
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: "deep-import",
      comment: "Another package is imported by its name; only what its index.ts exports is a promise.",
      severity: "error",
      from: { path: "^(packages|apps)/([^/]+)/" },
      to: { path: "^(packages|apps)/[^/]+/", pathNot: "^$1/$2/|^packages/[^/]+/src/index\\.ts$" },
    },
    {
      name: "test-code-in-product",
      comment: "Shipped code never imports a test.",
      severity: "error",
      from: { path: "^(packages|apps)/[^/]+/src/", pathNot: testFile },
      to: { path: testFile },
    },
  ];
}

function powerRules() {
  return [
    {
      name: "core-io",
      comment: "core computes. Files, processes, network and threads live above it.",
      severity: "error",
      from: { path: "^packages/core/src/", pathNot: testFile },
      to: { dependencyTypes: ["core"], pathNot: `^(node:)?(${pureNodeModules.join("|")})(/|$)` },
    },
    {
      name: "process-start",
      comment: `Only ${processHome} starts processes.`,
      severity: "error",
      from: { path: isInside(productPackages), pathNot: `${testFile}|${isInside([processHome])}` },
      to: { dependencyTypes: ["core"], path: "^(node:)?(child_process|cluster)$" },
    },
  ];
}

function shortName(directory) {
  return directory.replace(/^.*\//, "");
}

function escape(text) {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
