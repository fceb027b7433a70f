import { boundaryRules } from "./scripts/boundary-rules.mjs";

export default {
  forbidden: boundaryRules(),
  options: {
    // Types count: a package that only borrows a type still depends on it.
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.base.json" },
    doNotFollow: { path: "node_modules" },
    exclude: { path: "(^|/)(dist|coverage)/" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["@rea/source", "import", "node", "types", "default"],
      extensions: [".ts", ".mts", ".js", ".mjs", ".json", ".d.ts"],
    },
  },
};
