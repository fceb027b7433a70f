import { defineConfig } from "vitest/config";

// Workspace packages resolve to their TypeScript sources; a failing test points at a line somebody wrote.
const conditions = ["@rea/source", "module", "node", "development|production"];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ["packages/*/{src,test}/**/*.test.ts", "apps/*/{src,test}/**/*.test.ts", "scripts/**/*.test.mjs"],
    // Generous on purpose: no test may depend on how fast the machine is.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
  },
});
