// The inline script of index.html that runs before the app: it lets the browser paint the skeleton, and preloads the code and the
// data of the screen at the current address. Otherwise the page, the app, the screen's code and its data load one after another.
import { queriesOf } from "./firstQueries.mjs";

/** For each screen name in index.html: its routes with what their loaders import, its texts besides the first ones, and its queries. */
const SCREENS = {
  signing: { chunks: ["routes/_public.tsx?", "routes/_public/login.tsx?"], words: ["auth"], asks: [] },
  app: { chunks: ["routes/_app.tsx?"], words: [], asks: ["Me"] },
  home: {
    chunks: ["routes/_app.tsx?", "routes/_app/index.tsx?", "home/firstLoad.ts"],
    words: ["home"],
    asks: ["Home", "Upcoming", "Me"],
  },
  reading: {
    chunks: ["routes/_app.tsx?", "routes/_app/view-page.$pageId.tsx?"],
    words: [],
    asks: ["ReadingPage", "PageCourse", "Me"],
  },
};

/** @returns {import("vite").Plugin} */
export function firstScreens() {
  return {
    name: "first-screens",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      async handler(html, { bundle, filename }) {
        if (!bundle || !filename.endsWith("/index.html")) return html;
        const chunks = Object.values(bundle).filter((one) => one.type === "chunk");
        const entry = chunks.find(({ isEntry, facadeModuleId }) => isEntry && facadeModuleId === filename);
        if (!entry) throw new Error("the build has no entry of index.html");
        const here = filesFrom([entry], bundle);
        const files = Object.fromEntries(
          Object.entries(SCREENS).map(([screen, { chunks: modules }]) => {
            const roots = modules.map((module) => {
              const root = chunks.find(({ facadeModuleId }) => facadeModuleId?.includes(`/src/${module}`));
              if (!root) throw new Error(`the build has no chunk of ${module}`);
              return root;
            });
            return [screen, [...filesFrom(roots, bundle)].filter((file) => !here.has(file))];
          }),
        );
        const wordsOf = (name) =>
          Object.fromEntries(
            ["ru", "en"].map((language) => {
              const words = chunks.find(({ facadeModuleId }) =>
                facadeModuleId?.endsWith(`/src/i18n/${language}/${name}.ts`),
              );
              if (!words) throw new Error(`the build has no chunk of the words ${language}/${name}`);
              return [language, words.fileName];
            }),
          );
        const words = Object.fromEntries(
          Object.entries(SCREENS).map(([screen, { words: names }]) => [screen, names.map(wordsOf)]),
        );
        const asks = Object.fromEntries(Object.entries(SCREENS).map(([screen, { asks }]) => [screen, asks]));
        const queries = await queriesOf([...new Set(Object.values(asks).flat())]);
        const begins = `/${entry.fileName}`;
        const [sheetLink, sheet] = html.match(/<link rel="stylesheet" crossorigin href="\/([^"]+)">/) ?? [];
        if (!sheet) throw new Error("index.html has no style sheet");
        const given = { begins, sheet, files, firstWords: wordsOf("first"), words, asks, queries };
        const script = `(${begin})(${JSON.stringify(given).replaceAll("<", "\\u003c")})`;
        const module = `<script type="module" crossorigin src="${begins}"></script>`;
        if (!html.includes(module)) throw new Error(`index.html does not begin with ${begins}`);
        // The skeleton is painted without a request.
        return html
          .replace(module, `<link rel="modulepreload" crossorigin href="${begins}">`)
          .replaceAll(/(<link rel="modulepreload"[^>]*)>/g, '$1 fetchpriority="low">')
          .replace(sheetLink, () => `<style>${bundle[sheet].source}</style>`)
          .replace("</title>", () => `</title>\n    <script>${script}</script>`);
      },
    },
  };
}

/** Returns the files of these chunks and of their static imports, with the style sheets. */
function filesFrom(roots, bundle) {
  const files = new Set();
  const take = (chunk) => {
    if (chunk?.type !== "chunk" || files.has(chunk.fileName)) return;
    files.add(chunk.fileName);
    for (const imported of chunk.imports) take(bundle[imported]);
    for (const sheet of chunk.viteMetadata?.importedCss ?? []) files.add(sheet);
  };
  roots.forEach(take);
  return files;
}

/** Runs in the browser, serialised as it is here; src/api/firstAnswers.ts uses the responses. */
function begin({ begins, sheet, files, firstWords, words, asks, queries }) {
  // Parsing the app takes long on a phone, so the skeleton is painted first.
  const start = () => {
    const script = document.createElement("script");
    script.type = "module";
    script.crossOrigin = "";
    script.src = begins;
    document.head.append(script);
  };
  if (document.hidden) start();
  // The second frame starts after the first one is painted.
  else requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(start)));
  try {
    // The sheet is in the page. This link, which is not fetched, tells Vite's preloading so.
    const known = document.createElement("link");
    known.rel = "stylesheet";
    known.disabled = true;
    known.href = `/${sheet}`;
    document.head.append(known);
    const { first, page } = document.documentElement.dataset;
    const language = document.documentElement.lang;
    const spoken = [firstWords, ...(words[first] ?? [])].map((bundle) => bundle[language]);
    for (const file of (files[first] ?? []).concat(spoken)) {
      const link = document.createElement("link");
      const isSheet = file.endsWith(".css");
      link.rel = isSheet ? "preload" : "modulepreload";
      if (isSheet) link.as = "style";
      link.crossOrigin = "";
      link.fetchPriority = "low";
      link.href = `/${file}`;
      document.head.append(link);
    }
    const token = localStorage.getItem("access_token");
    if (!token) return;
    window.firstAnswers = (asks[first] ?? []).map((operationName) => {
      const variables = queries[operationName].includes("($id:") ? { id: page } : {};
      const answer = fetch("/graphql", {
        method: "POST",
        credentials: "include",
        headers: {
          "content-type": "application/json",
          accept: "application/graphql-response+json,application/json;q=0.9",
          authorization: `Bearer ${token}`,
          "accept-language": language,
        },
        body: JSON.stringify({ operationName, variables, query: queries[operationName] }),
      });
      // The app handles the failure when it uses the response; an unused one must not raise an error.
      answer.catch(() => {});
      return { operationName, variables: JSON.stringify(variables), token, language, answer };
    });
  } catch {
    // The app loads everything by itself.
  }
}
