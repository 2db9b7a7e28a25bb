// What index.html does before the app is there: it lets the outline be painted, and asks for the pieces of the screen that the
// address leads to, and for that screen's data. Without it they would wait for one another: the page, the app, the screen's
// code, its data.
import { queriesOf } from "./firstQueries.mjs";

/** By the name that index.html gives a screen: its pieces (see vite.config.ts), its chunks and its questions. */
const SCREENS = {
  signing: { chunks: ["_public.tsx", "_public/login.tsx"], asks: [] },
  app: { chunks: ["_app.tsx"], asks: ["Me"] },
  home: { chunks: ["_app.tsx", "_app/index.tsx"], asks: ["Home", "Me"] },
  reading: {
    chunks: ["_app.tsx", "_app/view-page.$pageId.tsx"],
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
          Object.entries(SCREENS).map(([screen, { chunks: routes }]) => {
            const roots = routes.map((route) => {
              const root = chunks.find(({ facadeModuleId }) =>
                facadeModuleId?.includes(`/src/routes/${route}?`),
              );
              if (!root) throw new Error(`the build has no chunk of ${route}`);
              return root;
            });
            return [screen, [...filesFrom(roots, bundle)].filter((file) => !here.has(file))];
          }),
        );
        const english = chunks.find(({ facadeModuleId }) =>
          facadeModuleId?.endsWith("/src/i18n/en/index.ts"),
        );
        const asks = Object.fromEntries(Object.entries(SCREENS).map(([screen, { asks }]) => [screen, asks]));
        const queries = await queriesOf([...new Set(Object.values(asks).flat())]);
        const begins = `/${entry.fileName}`;
        const given = { begins, files, english: english ? [english.fileName] : [], asks, queries };
        const script = `(${begin})(${JSON.stringify(given).replaceAll("<", "\\u003c")})`;
        const module = `<script type="module" crossorigin src="${begins}"></script>`;
        if (!html.includes(module)) throw new Error(`index.html does not begin with ${begins}`);
        return html
          .replace(module, `<link rel="modulepreload" crossorigin href="${begins}">`)
          .replace("</title>", () => `</title>\n    <script>${script}</script>`);
      },
    },
  };
}

/** These chunks, all they import at once, and the style sheets of both. */
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

/** Runs in the browser, as it stands here; src/api/firstAnswers.ts takes what it has asked. */
function begin({ begins, files, english, asks, queries }) {
  // To be read takes the app a while on a phone: the outline is painted before.
  const start = () => {
    const script = document.createElement("script");
    script.type = "module";
    script.crossOrigin = "";
    script.src = begins;
    document.head.append(script);
  };
  if (document.hidden) start();
  // The second frame begins when the first is on the screen.
  else requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(start)));
  try {
    const { first, page } = document.documentElement.dataset;
    const language = document.documentElement.lang;
    for (const file of (files[first] ?? []).concat(language === "en" ? english : [])) {
      const link = document.createElement("link");
      const isSheet = file.endsWith(".css");
      link.rel = isSheet ? "preload" : "modulepreload";
      if (isSheet) link.as = "style";
      link.crossOrigin = "";
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
      // Who takes it sees it; nobody may.
      answer.catch(() => {});
      return { operationName, variables: JSON.stringify(variables), token, language, answer };
    });
  } catch {
    // The app asks for all of it by itself.
  }
}
