import type { Page } from "@playwright/test";
import { graphql } from "../../scripts/client.mjs";
import type { Classroom } from "./classroom.ts";
import { expect } from "./fixtures.ts";
import { paragraph } from "./page-editor.ts";

/** Saves changes of a page beside what learners see. */
export async function saveDraft({ server, owner }: Classroom, pageId: string, change: object): Promise<void> {
  const query = "mutation ($input: UpdatePageInput!) { updatePage(input: $input) { page { id } } }";
  await graphql(server.url, owner.token, query, { input: { pageId, draft: true, ...change } });
}

/** The input that changes the text of a page. */
export const content = (...lines: string[]) => ({ content: { type: "doc", content: lines.map(paragraph) } });

/** Publishes all changes of the course over GraphQL, with a choice of how. */
export async function publishAll({ server, owner, courseId }: Classroom, choice: object = {}): Promise<void> {
  const list =
    "query ($id: ID!) { course(id: $id) { unpublishedChanges { id version pageDraft { version } } } }";
  const { course } = await graphql(server.url, owner.token, list, { id: courseId });
  type Changed = { id: string; version: number; pageDraft: { version: number } };
  const pages = course.unpublishedChanges.map(({ id, version, pageDraft }: Changed) => ({
    pageId: id,
    version: pageDraft.version,
    pageVersion: version,
  }));
  const publish = `mutation ($input: PublishPageDraftsInput!) {
    publishPageDrafts(input: $input) { pages { id } conflicts { id } } }`;
  const { publishPageDrafts } = await graphql(server.url, owner.token, publish, {
    input: { courseId, pages, ...choice },
  });
  expect(publishPageDrafts.pages, "published pages").toHaveLength(pages.length);
}

/** Records how far the layout shifts without an action of the user. Call it before the page opens. */
export async function recordShifts(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    const found = { value: 0 };
    Object.assign(window, { shifts: found });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & {
        value: number;
        hadRecentInput: boolean;
      })[])
        if (!entry.hadRecentInput) found.value += entry.value;
    }).observe({ type: "layout-shift", buffered: true });
  });
  return () => page.evaluate(() => (window as unknown as { shifts: { value: number } }).shifts.value);
}
