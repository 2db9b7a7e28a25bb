import { defineConfig } from "vitest/config";

// `make screenshots`: not a test, but it needs the same server, browser and screens.
export default defineConfig({
  root: import.meta.dirname,
  test: {
    include: ["**/*.shots.ts"],
    environment: "node",
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
