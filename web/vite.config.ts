import { tanstackRouter } from "@tanstack/router-plugin/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { generate } from "./scripts/codegen.mjs";

/** Where the dev server finds Kurso. */
const server = process.env.KURSO_SERVER ?? "http://127.0.0.1:8000";

export default defineConfig({
  plugins: [
    // Reads tsr.config.json; must stand before the React plugin.
    tanstackRouter(),
    react(),
    {
      // KaTeX names each font in three formats; every browser we support reads the first, and the binary carries no other.
      name: "katex-fonts-in-one-format",
      enforce: "pre",
      transform(code, id) {
        if (!id.includes("katex.min.css")) return;
        return code.replace(/,url\([^)]+\.(?:woff|ttf)\) format\("(?:woff|truetype)"\)/g, "");
      },
    },
    {
      name: "graphql-codegen",
      apply: "serve",
      async handleHotUpdate({ file }) {
        if (file.endsWith(".graphql")) await generate();
      },
    },
  ],
  server: {
    port: 5173,
    proxy: { "/api": server, "/graphql": { target: server, ws: true }, "/files": server, "/docs": server },
  },
  build: {
    // The content security policy forbids inline scripts; every browser we support knows modulepreload.
    modulePreload: { polyfill: false },
    manifest: true,
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1000,
  },
});
