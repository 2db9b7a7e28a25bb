import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { storeToken } from "../api/session";
import { renderApp } from "../testing/renderApp";
import { startI18n } from "../testing/startI18n";

beforeAll(startI18n);
beforeEach(() => {
  storeToken("a.b.c");
  vi.useFakeTimers({ shouldAdvanceTime: true });
});
afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.useRealTimers();
});

const job = (state: "RUNNING" | "READY" | "DONE") => ({
  __typename: "ImportJob",
  id: "j1",
  state,
  stage: state === "RUNNING" ? "STORING" : null,
  filename: "book.zip",
  mode: "NEW",
  intoCourseId: null,
  headings: null,
  progress: { __typename: "ImportProgress", done: 1, total: 2, file: "a.md" },
  found: {
    __typename: "ImportFound",
    title: "Книга",
    description: null,
    modules: 1,
    lessons: 1,
    pages: 1,
    questions: 0,
    files: 0,
    carried: 1,
    changed: 1,
    notCarried: 0,
  },
  failure: null,
  courseId: null,
  createdAt: "2026-11-25T10:00:00Z",
});

test("the chosen part of the report and an open module stay when the import goes on", async () => {
  let state: "RUNNING" | "DONE" = "RUNNING";
  const { asked } = await renderApp("/import?job=j1", {
    Me: () => ({
      me: { __typename: "User", id: "u1", email: "anna@example.com", fullName: null, isSuperuser: false },
    }),
    ImportJob: () => ({ importJob: job(state) }),
    CoursesToAppendTo: () => ({ myCourses: { __typename: "CourseList", nodes: [] } }),
    ImportReport: ({ outcome }) => ({
      importPreview: {
        __typename: "ImportPreview",
        report: {
          __typename: "ReportLineList",
          totalCount: 1,
          nodes: [
            {
              __typename: "ReportLine",
              where: "Глава",
              what: String(outcome),
              outcome: "CHANGED",
              why: "так",
            },
          ],
        },
      },
    }),
    ImportTree: () => ({
      importPreview: {
        __typename: "ImportPreview",
        omitted: 0,
        modules: ["Начало", "Конец"].map((title) => ({ __typename: "ImportModule", title, lessons: [] })),
      },
    }),
  });
  const count = (operation: string) => asked.filter(({ name }) => name === operation).length;
  const module = (await screen.findByText("Конец")).closest("details") as HTMLDetailsElement;
  module.open = true;
  const report = screen.getByRole("region", { name: "Отчёт" });
  const changed = within(report).getByRole("radio", { name: /измен/i }) as HTMLInputElement;
  fireEvent.click(changed);
  expect(await screen.findByText("CHANGED")).toBeTruthy();
  const before = [count("ImportTree"), count("ImportReport")];

  state = "DONE";
  await vi.advanceTimersByTimeAsync(3_500);
  await screen.findByText("Всё добавлено в курс");
  await waitFor(() =>
    expect([count("ImportTree"), count("ImportReport")]).toEqual(before.map((calls) => calls + 1)),
  );
  expect(changed.isConnected && changed.checked).toBe(true);
  expect(module.isConnected && module.open).toBe(true);
});
