import tseslint from "typescript-eslint";

const sources = ["packages/*/src/**/*.ts", "apps/*/src/**/*.ts"];
const tests = ["**/*.test.ts", "packages/*/test/**/*.ts", "apps/*/test/**/*.ts"];

export default tseslint.config(
  { ignores: ["**/dist/**", "**/node_modules/**", "**/fixtures/**", "coverage/**"] },
  {
    files: ["**/*.ts"],
    extends: [tseslint.configs.base],
    // One program for everything: cheaper than one per package, and it reads sources, so no build is needed.
    languageOptions: { parserOptions: { project: ["./tsconfig.lint.json"], tsconfigRootDir: import.meta.dirname } },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      // The type system is believed, so nothing may lie to it.
      "@typescript-eslint/no-explicit-any": "error",
      "@typescript-eslint/no-non-null-assertion": "error",
      // `as const` stays allowed.
      "@typescript-eslint/consistent-type-assertions": ["error", { assertionStyle: "never" }],
      "@typescript-eslint/ban-ts-comment": "error",
      "@typescript-eslint/no-unsafe-argument": "error",
      "@typescript-eslint/no-unsafe-assignment": "error",
      "@typescript-eslint/no-unsafe-call": "error",
      "@typescript-eslint/no-unsafe-member-access": "error",
      "@typescript-eslint/no-unsafe-return": "error",
      // Closed choices.
      "@typescript-eslint/switch-exhaustiveness-check": [
        "error",
        { considerDefaultExhaustiveForUnions: true, requireDefaultForNonUnion: true },
      ],
      // Nothing runs unobserved.
      "@typescript-eslint/no-floating-promises": "error",
      "@typescript-eslint/no-misused-promises": "error",
      "@typescript-eslint/await-thenable": "error",
      "@typescript-eslint/only-throw-error": "error",
      "no-unsafe-finally": "error",
      // Ordinary slips.
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
      "@typescript-eslint/no-unnecessary-type-assertion": "error",
      "@typescript-eslint/restrict-plus-operands": "error",
      "@typescript-eslint/no-base-to-string": "error",
      "@typescript-eslint/prefer-readonly": "error",
      "no-constant-condition": ["error", { checkLoops: false }],
      "no-fallthrough": "error",
      "no-dupe-else-if": "error",
      "no-self-compare": "error",
      "no-loss-of-precision": "error",
      "no-var": "error",
      "prefer-const": "error",
      "no-eval": "error",
      "no-new-func": "error",
      eqeqeq: "error",
      "no-restricted-syntax": [
        "error",
        { selector: "TSEnumDeclaration", message: "Use a union of string literals." },
        { selector: "ExportDefaultDeclaration", message: "Export by name." },
        { selector: "CatchClause > BlockStatement[body.length=0]", message: "Say why nothing is done, or let it throw." },
      ],
    },
  },
  {
    files: sources,
    ignores: tests,
    rules: {
      "max-lines": ["error", { max: 300 }],
      "max-params": ["error", { max: 4 }],
      "max-depth": ["error", { max: 4 }],
      complexity: ["error", { max: 20 }],
    },
  },
  {
    // stdout belongs to the protocol or to the command's answer; only the apps, and tools for maintainers, write there.
    files: ["packages/*/src/**/*.ts"],
    ignores: [...tests, "packages/docgen/**", "packages/bench/**"],
    rules: {
      "no-console": "error",
      "no-restricted-properties": [
        "error",
        { object: "process", property: "stdout", message: "Only apps write to stdout." },
        { object: "process", property: "exit", message: "Only apps end the process." },
      ],
    },
  },
  {
    files: ["packages/core/src/**/*.ts"],
    ignores: tests,
    rules: {
      "no-restricted-globals": [
        "error",
        { name: "process", message: "core does no I/O." },
        { name: "fetch", message: "core does no I/O." },
        { name: "setTimeout", message: "core keeps no timers." },
        { name: "setInterval", message: "core keeps no timers." },
      ],
    },
  },
  {
    // Tests read foreign JSON and poke at shapes; a wrong guess there fails the test.
    files: tests,
    rules: {
      "@typescript-eslint/no-unsafe-argument": "off",
      "@typescript-eslint/no-unsafe-assignment": "off",
      "@typescript-eslint/no-unsafe-call": "off",
      "@typescript-eslint/no-unsafe-member-access": "off",
      "@typescript-eslint/no-unsafe-return": "off",
    },
  },
  {
    // vitest reads a default export.
    files: ["vitest.config.ts"],
    rules: { "no-restricted-syntax": "off" },
  },
  {
    files: ["scripts/**/*.mjs", "*.mjs"],
    rules: { "no-undef": "off", "no-unused-vars": ["error", { argsIgnorePattern: "^_" }], "prefer-const": "error", eqeqeq: "error" },
  },
);
