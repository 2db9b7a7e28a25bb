import { tanstackRouter } from "@tanstack/router-plugin/vite";
import { defineConfig } from "vitest/config";

export default defineConfig({
  // Screens come on demand in tests too.
  plugins: [tanstackRouter({ enableRouteGeneration: false })],
  // The first to open a screen waits for its code to be compiled.
  test: { include: ["src/**/*.test.{ts,tsx}"], environment: "happy-dom", testTimeout: 20_000 },
});
