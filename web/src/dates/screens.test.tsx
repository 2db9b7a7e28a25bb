import { ApolloClient, ApolloLink, Observable } from "@apollo/client";
import { ApolloProvider } from "@apollo/client/react";
import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { createCache } from "../api/cache";
import { CourseDates } from "../course-settings/CourseDates";
import { limitsInput, valuesOf } from "../overrides/overrides";
import { renderInRouter } from "../testing/renderInRouter";
import { startI18n } from "../testing/startI18n";
import { course } from "./course.fixture";
import DatesDialog from "./DatesDialog";
import DatesTab from "./DatesTab";
import { partsOf, typedChanges } from "./parts";
import { changesOf } from "./paste";
import { seriesOf } from "./shifts";

/** A zone that is newer than the browser. */
const NEW_ZONE = "Europe/Kurso";
const NOW = new Date("2026-09-01T12:00:00Z");
const NOTICE = /не знает часовой пояс Europe\/Kurso/;

let sent: Record<string, unknown>[] = [];

const typename = (name: string) => ({ __typename: name });

/** The course in a zone, as the server answers. */
const answered = (timeZone: string | null) => ({
  ...typename("Course"),
  ...course,
  timeZone,
  modules: course.modules.map((module) => ({
    ...typename("Module"),
    ...module,
    lessons: module.lessons.map((lesson) => ({
      ...typename("Lesson"),
      ...lesson,
      pages: lesson.pages.map((page) => ({ ...typename("Page"), ...page })),
    })),
  })),
});

const timeline = (opensAt: string | null, dueAt: string | null) => ({
  timeline: { ...typename("Timeline"), opensAt, dueAt, closesAt: null },
});
/** What the server has resolved. */
const resolved = {
  ...typename("Course"),
  id: "c",
  ...timeline("2026-09-02T08:00:00Z", null),
  modules: [
    {
      ...typename("Module"),
      id: "m",
      ...timeline("2026-09-03T08:00:00Z", "2026-10-20T21:59:00Z"),
      lessons: [{ ...typename("Lesson"), id: "l", ...timeline("2026-10-05T08:00:00Z", null) }],
    },
  ],
};

async function open(ui: ReactNode, timeZone: string | null = NEW_ZONE) {
  const link = new ApolloLink(
    ({ operationName, variables }) =>
      new Observable((observer) => {
        // Other operations get no response.
        if (operationName === "CourseDates") {
          observer.next({ data: { course: answered(timeZone) } });
          observer.complete();
        } else if (operationName === "DatesAbove") {
          observer.next({ data: { course: resolved } });
          observer.complete();
        } else if (variables.input) sent.push(variables.input);
      }),
  );
  const client = new ApolloClient({ link, cache: createCache(), dataMasking: true });
  await renderInRouter(<ApolloProvider client={client}>{ui}</ApolloProvider>);
}

beforeAll(startI18n);
beforeEach(() => {
  sent = [];
  localStorage.clear();
});
afterEach(cleanup);

describe("in a time zone that the browser does not know", () => {
  test("the table shows times in UTC, says so, and sends what is typed as UTC", async () => {
    await open(<DatesTab courseId="c" editable mayExtend={false} />);
    expect(await screen.findByText(NOTICE)).toBeTruthy();
    const row = screen.getByRole("row", { name: /Модуль/ });
    const due = within(row).getByText("20.10.2026 21:59").closest("td") as HTMLElement;
    due.focus();
    fireEvent.keyDown(due, { key: "Enter" });
    const input = within(row).getByRole("textbox");
    fireEvent.change(input, { target: { value: "21.10.2026 10:00" } });
    fireEvent.keyDown(input, { key: "Enter" });
    await waitFor(() =>
      expect(sent).toEqual([
        {
          moduleId: "m",
          dueAt: "2026-10-21T10:00:00Z",
          expectedDates: { dueAt: "2026-10-20T21:59:00Z" },
        },
      ]),
    );
  });

  test("the dialog of a part says so", async () => {
    await open(<DatesDialog courseId="c" id="m" title="Модуль" onClose={() => undefined} />);
    expect(await screen.findByText(NOTICE)).toBeTruthy();
    expect(screen.getByDisplayValue("20.10.2026 21:59")).toBeTruthy();
  });

  test("the dialog of a part tells what the server has resolved for the part above", async () => {
    await open(<DatesDialog courseId="c" id="l" title="Урок" onClose={() => undefined} />);
    expect(await screen.findByText(/Части выше открываются 3 сентября в 08:00/)).toBeTruthy();
    expect(screen.getByText(/срок частей выше: 20 октября, 21:59/)).toBeTruthy();
    cleanup();
    await open(<DatesDialog courseId="c" id="q" title="Тест" onClose={() => undefined} />);
    expect(await screen.findByText(/Части выше открываются 5 октября в 08:00/)).toBeTruthy();
    expect(screen.queryByText(/срок частей выше/)).toBeNull();
  });

  test("the settings say so, and another zone can be chosen", async () => {
    await open(<CourseDates courseId="c" />);
    expect(await screen.findByText(NOTICE)).toBeTruthy();
    const zone = screen.getByLabelText("Часовой пояс курса");
    fireEvent.change(zone, { target: { value: "Europe/Moscow" } });
    expect(await screen.findByText(/GMT\+3/)).toBeTruthy();
    expect(screen.queryByText(NOTICE)).toBeNull();
  });

  test("pasted, spread and extended dates are sent as UTC", () => {
    const parts = partsOf(course);
    const page = parts.find(({ id }) => id === "p") ?? fail();
    expect(
      changesOf([{ part: page, column: "due", text: "5.10.2026 9:00" }], NOW, NEW_ZONE)[0]?.changes,
    ).toEqual({
      dueAt: "2026-10-05T09:00:00Z",
    });
    expect(seriesOf([page], "2026-10-05T09:00", 7, NEW_ZONE)[0]?.changes).toEqual({
      dueAt: "2026-10-05T09:00:00Z",
    });
    expect(typedChanges(["dueAt"], { dueAt: "5.10.2026 9:00" }, { dueAt: "" }, NOW, NEW_ZONE)).toEqual({
      dueAt: "2026-10-05T09:00:00Z",
    });
    const values = valuesOf(undefined, page, "dates", () => "2026-10-05T09:00:00Z", NEW_ZONE, "ru");
    expect(limitsInput(page, values, NOW, NEW_ZONE)).toEqual({ dueAt: "2026-10-05T09:00:00Z" });
  });
});

function fail(): never {
  throw new Error("the fixture has no such part");
}

describe("the focus", () => {
  test("goes back to the table when the selection is cleared", async () => {
    await open(<DatesTab courseId="c" editable mayExtend={false} />);
    fireEvent.click(await screen.findByRole("checkbox", { name: /Модуль/ }));
    const clear = screen.getByRole("button", { name: "Снять выбор" });
    clear.focus();
    fireEvent.click(clear);
    expect(document.activeElement?.getAttribute("role")).toBe("gridcell");
  });

  test("moves to the field of the time zone when its button takes the zone of the browser", async () => {
    const { resolvedOptions } = Intl.DateTimeFormat.prototype;
    const here = vi.spyOn(Intl.DateTimeFormat.prototype, "resolvedOptions");
    here.mockImplementation(function (this: Intl.DateTimeFormat) {
      return { ...resolvedOptions.call(this), timeZone: "Asia/Omsk" };
    });
    await open(<CourseDates courseId="c" />, null);
    const take = await screen.findByRole("button", { name: /Взять мой: Asia\/Omsk/ });
    take.focus();
    fireEvent.click(take);
    const zone = screen.getByLabelText("Часовой пояс курса") as HTMLInputElement;
    await waitFor(() => expect(document.activeElement).toBe(zone));
    expect(zone.value).toBe("Asia/Omsk");
    here.mockRestore();
  });
});
