import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { demoBook, rustBook } from "../../scripts/books.mjs";
import { graphql, login } from "../../scripts/client.mjs";
import { admin, Server } from "../../scripts/server.mjs";
import { modelSchema } from "../src/editor/schema/index.ts";
import { canonical, fromStored, toStored } from "../src/editor/stored.ts";
import { documents } from "../src/editor/testing/documents.ts";
import { draftCourse, stored } from "./editing.ts";

// What core stores, the editor holds; what the editor writes, core takes. No browser in it: the two sides of the content model.
let server: Server;
let token: string;
const schema = modelSchema();

beforeAll(async () => {
  server = await Server.start();
  token = await login(server.url, admin.email, admin.password);
});
afterAll(() => server?.stop());

describe.each([
  ["the demo course", demoBook],
  ["the Russian Rust book", rustBook],
])("every page of %s", (_, book) => {
  test.skipIf(!book)("goes through the editor and stays what it was", async () => {
    const { course_id } = await server.import(String(book), admin.email);
    const query =
      "query ($id: ID!) { course(id: $id) { modules { lessons { pages { id title content } } } } }";
    const { course } = await graphql(server.url, token, query, { id: course_id });
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
});

test("the server takes whatever the editor may write", async () => {
  const { pageId } = await draftCourse(server, token);
  const mutation = "mutation ($input: UpdatePageInput!) { updatePage(input: $input) { page { content } } }";
  // Files and pages that are not there are refused for reasons of their own.
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
      await graphql(server.url, token, mutation, { input: { pageId, content } });
      expect((await stored(server, token, pageId)).content).toEqual(content);
    }),
    { numRuns: 60 },
  );
});
