import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { relative } from "node:path";
import { promisify } from "node:util";
import { tanstackRouter } from "@tanstack/router-plugin/vite";
import react from "@vitejs/plugin-react";
import { defaultClientConditions, defineConfig, type Rolldown } from "vite";
import { firstScreens } from "./scripts/firstScreens.mjs";

/** The server that the dev server proxies API requests to. */
const server = process.env.KURSO_SERVER ?? "http://127.0.0.1:8000";

/** Modules of packages with a single entry point that no first screen uses: they are bundled with the code that uses them. */
const LATER =
  /\/node_modules\/(?:graphql\/(?!jsutils\/(?:devAssert|inspect)|language\/(?:ast|blockString|characterClasses|kinds|print(?:er|String)|visitor))|@floating-ui\/)/;

/** The routes that are opened first. The code that only one of them needs becomes one chunk. */
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
/** The style sheets of components. The index of a file is part of its class names. */
const styles = readdirSync(sources, { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".module.css"))
  .sort();

/** The modules that `from` imports statically, directly or indirectly, including `from`. */
function reached(from: string[], build: Build, isFollowed = (_id: string) => true): Set<string> {
  const found = new Set(from);
  for (const module of found) {
    for (const id of build.getModuleInfo(module)?.importedIds ?? []) if (isFollowed(id)) found.add(id);
  }
  return found;
}

/**
 * The chunks: `app` for the code that every screen needs, one for each first screen, because with a high latency another file costs
 * more than its bytes. Code shared by several first screens is in `shell`, or in `controls` when one of them is shown before signing
 * in; form fields are in `fields`. main.tsx is in no chunk of these, because it waits for the texts of a language, which import
 * from `app`.
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
    if (/\/src\/ui\/(?:Text)?Field\.(?:tsx|module\.css)/.test(id)) return "fields";
    if (known.first.has(id)) return "app";
    const screens = known.screens.filter(([, modules]) => modules.has(id)).map(([name]) => name);
    if (screens.length < 2) return screens[0] ?? null;
    return screens.includes("signing") ? "controls" : "shell";
  };
  // A chunk includes what its modules import unless an earlier chunk has it.
  const inOrder = [["app"], ["fields"], ["controls"], ["shell"], ["home", "reading", "signing"]];
  return inOrder.map((names, at) => ({
    priority: inOrder.length - at,
    // Through a package's single entry point all of its modules look statically imported.
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
      // KaTeX lists each font in three formats. All supported browsers read the first one, WOFF2; the others are not shipped.
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
        if (file.endsWith(".graphql")) await promisify(execFile)("npx", ["graphql-codegen", "--silent"]);
      },
    },
  ],
  // This condition selects the smaller build of RxJS, a dependency of Apollo Client; the default build is ES5.
  resolve: {
    conditions: ["es2015", ...defaultClientConditions],
    // The router's store and Apollo Client each bundle a shim of a hook that React already includes.
    alias: [
      {
        find: "use-sync-external-store/shim/with-selector",
        replacement: "use-sync-external-store/with-selector",
      },
      { find: /^\.\/useSyncExternalStore\.js$/, replacement: "react" },
    ],
  },
  css: {
    modules: {
      // The number of the file is shorter than the hash and the line number of the default names, which add 400 bytes to each first load.
      generateScopedName: (name, file) => {
        const path = relative(sources, file);
        // Files may be added while the development server runs.
        if (!styles.includes(path)) styles.push(path);
        return `${name}_${styles.indexOf(path).toString(36)}`;
      },
    },
  },
  server: {
    port: 5173,
    proxy: {
      "/api": server,
      "/graphql": { target: server, ws: true },
      "/files": server,
      "/courses": server,
      "/c/": server,
      "/sitemap.xml": server,
      "/robots.txt": server,
    },
  },
  build: {
    // The content security policy forbids inline scripts; all supported browsers implement modulepreload.
    // With a chunk that is imported on demand only its style sheets are preloaded: the names of the other files would add 1.2 KiB
    // to the first load (decision 53).
    modulePreload: {
      polyfill: false,
      resolveDependencies: (_file, files, { hostType }) =>
        hostType === "html" ? files : files.filter((name) => name.endsWith(".css")),
    },
    manifest: true,
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1000,
    // The app, GraphiQL at /graphiql and the API documentation at /docs.
    rolldownOptions: {
      input: ["index.html", "graphiql.html", "api-docs.html"],
      output: {
        // Chunks are named in the first load, and hashes do not compress: each character less saves 100 bytes. Fewer than seven are not possible for chunks; those of style sheets only have to tell the versions of one sheet apart.
        chunkFileNames: "assets/[name]-[hash:7].js",
        assetFileNames: "assets/[name]-[hash:4][extname]",
        codeSplitting: {
          groups: pieces(),
        },
      },
    },
  },
});
