import { ApolloClient, ApolloLink, Observable } from "@apollo/client";
import { ApolloProvider } from "@apollo/client/react";
import { useSelector } from "@tanstack/react-store";
import { cleanup, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { ReactNode } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createCache } from "../api/cache";
import { renderInRouter } from "../testing/renderInRouter";
import { hiddenItems } from "../ui/hiddenItems";
import { runToastAction, toastStore } from "../ui/toasts";
import { settleUndoable } from "../ui/undo";
import OverrideDialog from "./OverrideDialog";
import { OverrideRows } from "./OverrideRows";
import type { Override } from "./overrides";
import { TargetPicker } from "./TargetPicker";

afterEach(async () => {
  cleanup();
  await settleUndoable();
});

const dates = { availableFrom: null, availableUntil: null, dueAt: null, prerequisites: [] };
const course = {
  __typename: "Course",
  id: "c",
  title: "Основы",
  startsAt: null,
  endsAt: null,
  enrollUntil: null,
  timeZone: "UTC",
  hideLockedTitles: false,
  sequential: false,
  modules: [
    {
      __typename: "Module",
      id: "m",
      title: "Модуль",
      ...dates,
      lessons: [
        {
          __typename: "Lesson",
          id: "l",
          title: "Первые шаги",
          ...dates,
          dueAt: "2090-12-01T23:59:00Z",
          pages: [
            {
              __typename: "Page",
              id: "q",
              title: "Проверьте себя",
              kind: "QUIZ",
              ...dates,
              lateUntil: null,
              latePenaltyPerDay: null,
              latePenaltyMax: null,
            },
          ],
        },
      ],
    },
  ],
};
const none: Override & { __typename: string } = {
  __typename: "ScheduleOverride",
  id: "o",
  group: null,
  student: { id: "s", fullName: "Анна", email: "anna@example.com" },
  moduleId: null,
  lessonId: null,
  pageId: null,
  availableFrom: null,
  availableUntil: null,
  dueAt: null,
  lateUntil: null,
  extraAttempts: null,
  timeFactor: null,
  lifted: [],
};
const group = { __typename: "Group", id: "g", title: "10-А" };

const onClose = vi.fn();
let overrides: Override[];
let failing: Set<string>;
let saved: Record<string, unknown>[];
/** What somebody else has stored meanwhile; undefined without a conflict. */
let others: Override | null | undefined;
beforeEach(() => {
  others = undefined;
  onClose.mockReset();
  overrides = [];
  failing = new Set();
  saved = [];
});

function answer(name: string | undefined, variables: Record<string, unknown>): object | undefined {
  const user = { __typename: "User", id: "u", fullName: "Анна", email: "anna@example.com" };
  switch (name) {
    case "CourseDates":
      return { course };
    case "CourseOverrides": {
      const pageInfo = { __typename: "PageInfo", endCursor: null, hasNextPage: false };
      return {
        overrides: { __typename: "Overrides", totalCount: overrides.length, pageInfo, nodes: overrides },
      };
    }
    case "OverrideStudentGroup":
      return {
        enrollment: { __typename: "StudentProgress", student: { __typename: "Student", id: "s", group } },
      };
    case "QuizLimit":
      return { page: { __typename: "Page", id: "q", quiz: { __typename: "Quiz", maxAttempts: 2 } } };
    case "CourseGroups":
      return { course: { __typename: "Course", id: "c", groups: [] } };
    case "OverrideStudents": {
      const nodes = [{ __typename: "Student", id: "s", user }];
      return {
        course: {
          __typename: "Course",
          id: "c",
          students: { __typename: "Students", totalCount: 1, nodes },
        },
      };
    }
    case "DeleteOverride":
      saved.push(variables.input as Record<string, unknown>);
      return {
        deleteOverride: { __typename: "DeletedOverride", overrideId: "new", conflict: null },
      };
    case "SetOverride": {
      saved.push(variables.input as Record<string, unknown>);
      const conflict = others !== undefined && {
        __typename: "OverrideConflict",
        message: "Это исключение уже изменил кто-то другой",
        scheduleOverride: others,
      };
      others = undefined;
      return {
        setOverride: {
          __typename: "SetOverride",
          scheduleOverride: conflict ? null : { ...none, id: "new", pageId: "q", extraAttempts: 1 },
          conflict: conflict || null,
        },
      };
    }
  }
  return undefined;
}

/** Renders with a server that fails the operations in `failing`. */
function show(ui: ReactNode) {
  const link = new ApolloLink(
    ({ operationName, variables }) =>
      new Observable((observer) => {
        if (failing.has(operationName ?? "")) return observer.error(new Error("Refused"));
        const data = answer(operationName, variables);
        if (!data) return;
        observer.next({ data });
        observer.complete();
      }),
  );
  const client = new ApolloClient({ link, cache: createCache(), dataMasking: true });
  return renderInRouter(<ApolloProvider client={client}>{ui}</ApolloProvider>);
}

const anna = { kind: "student" as const, id: "s", name: "Анна" };
const showDialog = (aim: "dates" | "attempts" = "dates") =>
  show(<OverrideDialog courseId="c" target={anna} partId="q" aim={aim} onClose={onClose} />);
const field = (name: string) => screen.findByLabelText<HTMLInputElement>(name);
const submit = (name = "Сохранить") => screen.getByRole<HTMLButtonElement>("button", { name });

test("the suggested date is not saved with another limit", async () => {
  await showDialog();
  expect((await field("Новый срок сдачи")).value).toBe("01.12.2090 23:59");
  expect(submit().disabled).toBe(true);
  await userEvent.selectOptions(await field("Попытки"), "Больше попыток");
  await userEvent.type(await field("Сколько добавить"), "2");
  await userEvent.click(submit());
  await waitFor(() =>
    expect(saved).toEqual([
      { courseId: "c", enrollmentId: "s", pageId: "q", extraAttempts: 2, expected: null },
    ]),
  );
});

test("a typed date stays in sight for another part, beside what that part has", async () => {
  overrides = [{ ...none, lessonId: "l", timeFactor: 2 } as Override];
  await showDialog();
  const due = await field("Новый срок сдачи");
  await userEvent.clear(due);
  await userEvent.type(due, "9.12.2090");
  await userEvent.selectOptions(await field("Часть курса"), "l");
  expect((await field("Новый срок сдачи")).value).toBe("9.12.2090");
  expect((await field("Во сколько раз больше")).value).toBe("2");
  await userEvent.click(submit());
  await waitFor(() =>
    expect(saved).toEqual([
      {
        courseId: "c",
        enrollmentId: "s",
        lessonId: "l",
        dueAt: "2090-12-09",
        timeFactor: 2,
        expected: { timeFactor: 2 },
      },
    ]),
  );
});

test("another attempt is one more than the group gives, and the dialog shows how many that is", async () => {
  overrides = [{ ...none, student: null, group, pageId: "q", extraAttempts: 3 } as Override];
  await showDialog("attempts");
  expect((await field("Сколько добавить")).value).toBe("4");
  await screen.findByText("У группы «10-А»: 5");
  await screen.findByText("Получится: 6");
  await userEvent.click(submit("Дать попытку"));
  // The server adds the attempt, because another teacher may grant one at the same time.
  await waitFor(() =>
    expect(saved).toEqual([{ courseId: "c", enrollmentId: "s", pageId: "q", addAttempts: 1 }]),
  );
});

test("a typed number of attempts replaces what was read", async () => {
  overrides = [{ ...none, pageId: "q", extraAttempts: 3, lifted: ["DUE_AT"] } as Override];
  await showDialog("attempts");
  await userEvent.clear(await field("Сколько добавить"));
  await userEvent.type(await field("Сколько добавить"), "9");
  await userEvent.click(submit("Дать попытку"));
  await waitFor(() =>
    expect(saved).toMatchObject([
      { extraAttempts: 9, dueAt: null, expected: { extraAttempts: 3, dueAt: null } },
    ]),
  );
});

test("a conflict shows what is stored and keeps what is typed, and the next save replaces that", async () => {
  await showDialog();
  await userEvent.selectOptions(await field("Попытки"), "Больше попыток");
  await userEvent.type(await field("Сколько добавить"), "2");
  others = { ...none, pageId: "q", dueAt: "2090-12-20T10:00:00Z" } as Override;
  await userEvent.click(submit());
  const note = (await screen.findByText(/изменил кто-то другой. Сейчас сохранено/)).parentElement;
  expect(note?.textContent).toContain("Сдать до 20 декабря 2090");
  expect(onClose).not.toHaveBeenCalled();
  expect((await field("Сколько добавить")).value).toBe("2");
  expect((await field("Новый срок сдачи")).value).toBe("20.12.2090 10:00");
  await userEvent.click(submit());
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(saved[1]).toEqual({
    courseId: "c",
    enrollmentId: "s",
    pageId: "q",
    dueAt: "2090-12-20T10:00:00Z",
    extraAttempts: 2,
    expected: { dueAt: "2090-12-20T10:00:00Z" },
  });
});

test("a conflict tells that the override is gone", async () => {
  overrides = [{ ...none, pageId: "q", timeFactor: 2 } as Override];
  await showDialog();
  await userEvent.selectOptions(await field("Попытки"), "Сколько угодно");
  others = null;
  await userEvent.click(submit());
  await screen.findByText(/его удалил кто-то другой/);
  await userEvent.click(submit());
  await waitFor(() => expect(saved[1]).toMatchObject({ extraAttempts: null, expected: null }));
});

test("undoing an added attempt expects what was saved", async () => {
  await showDialog("attempts");
  await field("Сколько добавить");
  await userEvent.click(submit("Дать попытку"));
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  runToastAction(Number(toastStore.get().at(-1)?.id));
  await waitFor(() => expect(saved[1]).toEqual({ overrideId: "new", expected: { extraAttempts: 1 } }));
});

test("after a refusal the dialog stays, and what is changed next is saved", async () => {
  failing.add("SetOverride");
  await showDialog();
  await userEvent.selectOptions(await field("Срок сдачи"), "Без срока");
  await userEvent.click(submit());
  await waitFor(() => expect(submit().disabled).toBe(false));
  expect(onClose).not.toHaveBeenCalled();
  failing.clear();
  await userEvent.selectOptions(await field("Часть курса"), "l");
  await userEvent.click(submit());
  await waitFor(() =>
    expect(saved).toEqual([{ courseId: "c", enrollmentId: "s", lessonId: "l", dueAt: null, expected: null }]),
  );
});

test("nothing can be saved until the group of the student is known", async () => {
  failing.add("OverrideStudentGroup");
  await showDialog("attempts");
  await screen.findByRole("alert");
  expect(screen.queryByLabelText("Сколько добавить")).toBeNull();
  expect(submit("Дать попытку").disabled).toBe(true);
  failing.clear();
  await userEvent.click(screen.getByRole("button", { name: "Повторить" }));
  await field("Сколько добавить");
  expect(submit("Дать попытку").disabled).toBe(false);
});

test("Enter in the search of people does not submit the form around it", async () => {
  const onSubmit = vi.fn((event: Event) => event.preventDefault());
  await show(
    <form onSubmit={(event) => onSubmit(event.nativeEvent)}>
      <TargetPicker courseId="c" target={null} onChoose={() => {}} />
      <button type="submit">Сохранить</button>
    </form>,
  );
  await screen.findByRole("radio", { name: "Анна · anna@example.com" });
  await userEvent.type(screen.getByRole("searchbox"), "анна{Enter}");
  expect(onSubmit).not.toHaveBeenCalled();
});

test("the list of people shows that the groups could not be loaded", async () => {
  failing.add("CourseGroups");
  await show(<TargetPicker courseId="c" target={null} onChoose={() => {}} />);
  await screen.findByRole("alert");
  await screen.findByRole("radio", { name: /Анна/ });
});

test("the focus moves to a neighbour of a deleted row, and out of the list after the last one", async () => {
  const onEmptied = vi.fn();
  const all = [
    { ...none, id: "of quiz", pageId: "q" },
    { ...none, id: "of lesson", lessonId: "l" },
  ];
  const titles = new Map([
    ["q", "Проверьте себя"],
    ["l", "Первые шаги"],
  ]);
  function List() {
    const hidden = useSelector(hiddenItems);
    const props = { courseId: "c", titles, labels: new Map([["s", "Анна"]]), zone: "UTC", onEmptied };
    return <OverrideRows {...props} overrides={all.filter(({ id }) => !hidden.has(id))} mayChange ofOne />;
  }
  await show(<List />);
  const remover = (part: string) => screen.findByRole("button", { name: `Удалить: Анна, ${part}` });
  await userEvent.click(await remover("Первые шаги"));
  expect(screen.getAllByRole("listitem")).toHaveLength(1);
  expect(document.activeElement).toBe(await remover("Проверьте себя"));
  expect(onEmptied).not.toHaveBeenCalled();
  await userEvent.keyboard("{Enter}");
  expect(screen.queryAllByRole("listitem")).toHaveLength(0);
  expect(onEmptied).toHaveBeenCalledOnce();
});
