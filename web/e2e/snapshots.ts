import type { Page } from "@playwright/test";
import { graphql } from "../../scripts/client.mjs";
import type { Classroom } from "./classroom.ts";
import type { Form, World } from "./grade-forms.ts";
import { field } from "./ui.ts";

/** Takes a snapshot of the course with a name and returns its ID. */
export async function takeSnapshot(
  { server, owner, courseId }: Pick<Classroom, "server" | "owner" | "courseId">,
  name: string,
): Promise<string> {
  const query = "mutation ($input: TakeSnapshotInput!) { takeSnapshot(input: $input) { snapshot { id } } }";
  const { takeSnapshot } = await graphql(server.url, owner.token, query, { input: { courseId, name } });
  return takeSnapshot.snapshot.id;
}

export const snapshotsTab = (courseId: string) => `/edit-course/${courseId}?tab=snapshots`;

const openTab = (page: Page, { courseId }: World) => page.goto(snapshotsTab(courseId));

/** Opens the dialog that renames the first snapshot, which it takes at first. */
async function openName(page: Page, world: World) {
  await openTab(page, world);
  const name = field(page, "Название снимка");
  await name.waitFor();
  const menu = page.getByRole("button", { name: /^Действия со снимком/ }).first();
  const none = page.getByText("Снимков пока нет");
  await menu.or(none).waitFor();
  if (await none.isVisible()) {
    await name.fill("До правок");
    await name.press("Enter");
  }
  await menu.click();
  await page.getByRole("menuitem", { name: "Переименовать…" }).click();
}

/** The forms of snapshots. */
export const snapshotForms = {
  snapshot: {
    open: openTab,
    field: (page) => field(page, "Название снимка"),
    typed: "До правок",
    leave: (page) => page.getByRole("link", { name: "Содержание", exact: true }).click(),
  },
  "snapshot-name": {
    open: openName,
    field: (page) => page.getByRole("dialog").getByRole("textbox"),
    typed: "Перед экзаменом",
  },
} satisfies Record<string, Form>;
