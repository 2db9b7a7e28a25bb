import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { createServer } from "vite";
import { demoBook, rustBook } from "../../scripts/books.mjs";
import { graphql } from "../../scripts/client.mjs";
import { admin, root } from "../../scripts/server.mjs";
import { test as base, expect } from "./fixtures.ts";
import { createCourseWithPages, storedPage } from "./page-editor.ts";

// These tests compare the content model of the editor with that of the server. They open no browser.

interface EditorModel {
  stored: typeof import("../src/editor/stored.ts");
  schema: ReturnType<typeof import("../src/editor/schema/index.ts").modelSchema>;
  documents: typeof import("../src/editor/testing/documents.ts").documents;
}

interface WorkerFixtures {
  model: EditorModel;
}

const test = base.extend<object, WorkerFixtures>({
  // Vite loads the modules because they import CSS modules, which Node cannot.
  model: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the needed fixtures from this pattern
    async ({}, use) => {
      const vite = await createServer({
        root: join(root, "web"),
        configFile: false,
        appType: "custom",
        server: { middlewareMode: true, hmr: false, ws: false, watch: null },
        optimizeDeps: { noDiscovery: true },
      });
      const { modelSchema } = await vite.ssrLoadModule("/src/editor/schema/index.ts");
      const stored = await vite.ssrLoadModule("/src/editor/stored.ts");
      const { documents } = await vite.ssrLoadModule("/src/editor/testing/documents.ts");
      await use({ schema: modelSchema(), stored: stored as EditorModel["stored"], documents });
      await vite.close();
    },
    { scope: "worker" },
  ],
});

for (const [name, book] of [
  ["the demo course", demoBook],
  ["the Russian Rust book", rustBook],
] as const)
  test(`the editor keeps every page of ${name} unchanged`, async ({ server, adminToken, model }) => {
    test.skip(!book, "the book is not found");
    const { schema } = model;
    const { fromStored, toStored, canonical } = model.stored;
    const { course_id } = await server.import(String(book), admin.email);
    const query =
      "query ($id: ID!) { course(id: $id) { modules { lessons { pages { id title content } } } } }";
    const { course } = await graphql(server.url, adminToken, query, { id: course_id });
    let pages = 0;
    for (const module of course.modules)
      for (const lesson of module.lessons)
        for (const { title, content } of lesson.pages) {
          const node = fromStored(schema, content);
          expect(node, title).not.toBeNull();
          if (!node) continue;
          const written = toStored(node);
          expect(canonical(written), title).toEqual(canonical(content));
          expect(isDeepStrictEqual(written, content), title).toBe(true);
          pages += 1;
        }
    expect(pages).toBeGreaterThan(20);
  });

test("the server accepts every document that the editor can produce", async ({
  server,
  adminToken,
  model,
}) => {
  const { schema, documents } = model;
  const { fromStored, toStored } = model.stored;
  const { pageId } = await createCourseWithPages(server, adminToken);
  const mutation = "mutation ($input: UpdatePageInput!) { updatePage(input: $input) { page { content } } }";
  // The server rejects links to files and pages that do not exist.
  const withoutPlaces = documents.map((document) => {
    const text = JSON.stringify(document);
    return JSON.parse(text.replaceAll(/"(\/files\/[^"]+|page:[^"]+)"/g, '"https://example.com"'));
  });
  const noFiles = (node: { type: string; content?: unknown[] }): boolean =>
    !["image", "video", "audio", "attachment"].includes(node.type) &&
    (node.content ?? []).every((child) => noFiles(child as typeof node));
  await fc.assert(
    fc.asyncProperty(withoutPlaces.filter(noFiles), async (document) => {
      const node = fromStored(schema, document);
      if (!node) throw new Error("the editor cannot hold it");
      const content = toStored(node);
      await graphql(server.url, adminToken, mutation, { input: { pageId, content } });
      expect((await storedPage(server, adminToken, pageId)).content).toEqual(content);
    }),
    { numRuns: 60 },
  );
});
