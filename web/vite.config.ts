import { tanstackRouter } from "@tanstack/router-plugin/vite";
import react from "@vitejs/plugin-react";
import { defineConfig, type Rolldown } from "vite";
import { generate } from "./scripts/codegen.mjs";

/** Where the dev server finds Kurso. */
const server = process.env.KURSO_SERVER ?? "http://127.0.0.1:8000";

/** What of a package with one door to all of it only the playground takes. */
const PLAYGROUND = /\/node_modules\/graphql\/(?!language|jsutils|error)/;

/**
 * What every screen waits for comes in one piece: to a distant reader a file more costs more than its bytes. main.tsx itself stays
 * outside, because it waits for the words of a language, which take what they need from this piece.
 */
function firstLoad() {
  const entry = "/src/main.tsx";
  let waitedFor: Set<string> | undefined;
  return (id: string, build: { getModuleInfo: (id: string) => Rolldown.ModuleInfo | null }) => {
    if (!waitedFor) {
      waitedFor = new Set();
      const reach = [`${import.meta.dirname}${entry}`];
      for (const module of reach) {
        if (waitedFor.has(module)) continue;
        waitedFor.add(module);
        reach.push(...(build.getModuleInfo(module)?.importedIds ?? []));
      }
    }
    return waitedFor.has(id) && !id.endsWith(entry) && !PLAYGROUND.test(id) ? "app" : null;
  };
}

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
    // The app, and the developers' playground at /graphiql.
    rolldownOptions: {
      input: ["index.html", "graphiql.html"],
      output: { codeSplitting: { groups: [{ tags: ["$initial"], name: firstLoad() }] } },
    },
  },
});
