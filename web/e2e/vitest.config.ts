import { defineConfig } from "vitest/config";

// Browser tests run in Node and drive a Chromium from there; `*.e2e.ts` keeps them out of the unit tests' reach.
export default defineConfig({
  root: import.meta.dirname,
  test: {
    include: ["**/*.e2e.ts"],
    environment: "node",
    // One browser and one server at a time: timings stay honest on a small machine.
    fileParallelism: false,
    testTimeout: 120_000,
    // A browser on a busy machine is not the same twice. scripts/test.sh names whatever passed only when tried again.
    retry: 1,
    // What is waited for comes as fast as the machine is; how fast is not what is asked.
    expect: { poll: { timeout: 15_000 } },
    hookTimeout: 120_000,
  },
});
