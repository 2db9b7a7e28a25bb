import { tanstackRouter } from "@tanstack/router-plugin/vite";
import { defineConfig } from "vitest/config";

export default defineConfig({
  // Routes are loaded lazily in tests, too.
  plugins: [tanstackRouter({ enableRouteGeneration: false })],
  // The first test that opens a screen waits until its code is compiled.
  test: { include: ["src/**/*.test.{ts,tsx}"], environment: "happy-dom", testTimeout: 20_000 },
});
