import { tanstackRouter } from "@tanstack/router-plugin/vite";
import react from "@vitejs/plugin-react";
import { defineConfig, type Rolldown } from "vite";
import { generate } from "./scripts/codegen.mjs";
import { firstScreens } from "./scripts/firstScreens.mjs";

/** Where the dev server finds Kurso. */
const server = process.env.KURSO_SERVER ?? "http://127.0.0.1:8000";

/** What of packages with one door to all of it no screen takes at first: it comes with what does. */
const LATER =
  /\/node_modules\/(?:graphql\/(?!jsutils\/(?:devAssert|inspect)|language\/(?:ast|blockString|characterClasses|kinds|print|visitor))|@floating-ui\/|get-nonce\/|react-remove-scroll|react-style-singleton\/|use-callback-ref\/|use-sidecar\/)/;

/** The routes that most people open first; what each needs beside what all need comes as one piece. */
const SCREENS = {
  shell: ["_app.tsx"],
  home: ["_app/index.tsx"],
  reading: ["_app/view-page.$pageId.tsx"],
  signing: ["_public.tsx", "_public/login.tsx"],
};

interface Build {
  getModuleInfo: (id: string) => Rolldown.ModuleInfo | null;
}
const sources = `${import.meta.dirname}/src`;

/** The modules that come with these at once. */
function reached(from: string[], build: Build, isFollowed = (_id: string) => true): Set<string> {
  const found = new Set(from);
  for (const module of found) {
    for (const id of build.getModuleInfo(module)?.importedIds ?? []) if (isFollowed(id)) found.add(id);
  }
  return found;
}

/**
 * What every screen waits for comes in one piece, and likewise what one of the first screens waits for: to a distant reader a file
 * more costs more than its bytes. What two of these screens show is the shell's, or a piece of its own when one of them is before
 * signing in; so are fields, for those with a form. main.tsx itself stays outside, because it waits for the words of a language, which
 * take what they need from the first piece.
 */
function pieces() {
  const entry = `${sources}/main.tsx`;
  let known: { first: Set<string>; screens: [string, Set<string>][] } | undefined;
  const pieceOf = (id: string, build: Build): string | null => {
    known ??= {
      first: reached([entry], build),
      screens: Object.entries(SCREENS).map(([name, routes]) => {
        const components = routes.flatMap(
          (route) => build.getModuleInfo(`${sources}/routes/${route}`)?.dynamicallyImportedIds ?? [],
        );
        return [name, reached(components, build, (id) => id.startsWith(sources))];
      }),
    };
    if (id === entry || LATER.test(id)) return null;
    if (/\/@mantine\/core\/.*\/(?:Input|InputBase|TextInput)\//.test(id)) return "fields";
    if (known.first.has(id)) return "app";
    const screens = known.screens.filter(([, modules]) => modules.has(id)).map(([name]) => name);
    if (screens.length < 2) return screens[0] ?? null;
    return screens.includes("signing") ? "controls" : "shell";
  };
  // A piece takes along what its modules import and no piece before it has.
  const inOrder = [["app"], ["fields"], ["controls"], ["shell"], ["home", "reading", "signing"]];
  return inOrder.map((names, at) => ({
    priority: inOrder.length - at,
    // Through a package's one door everything in it looks as if it were waited for.
    ...(names.includes("app") && { tags: ["$initial" as const] }),
    name: (id: string, build: Build) => {
      const piece = pieceOf(id, build);
      return piece !== null && names.includes(piece) ? piece : null;
    },
  }));
}

export default defineConfig({
  plugins: [
    // Reads tsr.config.json; must stand before the React plugin.
    tanstackRouter(),
    react(),
    firstScreens(),
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
      output: {
        codeSplitting: {
          groups: pieces(),
        },
      },
    },
  },
});
