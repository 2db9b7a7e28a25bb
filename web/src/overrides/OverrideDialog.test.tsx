import { cleanup, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { runToastAction, toastStore } from "../ui/toasts";
import { settleUndoable } from "../ui/undo";
import OverrideDialog from "./OverrideDialog";
import { none } from "./override.fixture";
import type { Override } from "./overrides";
import { group, resetServer, server, show } from "./server.fixture";

const onClose = vi.fn();
beforeEach(() => {
  onClose.mockReset();
  resetServer();
});
afterEach(async () => {
  cleanup();
  await settleUndoable();
});

const anna = { kind: "student" as const, id: "s", name: "Анна" };
const showDialog = (aim: "dates" | "attempts" = "dates") =>
  show(<OverrideDialog courseId="c" target={anna} partId="q" aim={aim} onClose={onClose} />);
const field = (name: string) => screen.findByLabelText<HTMLInputElement>(name);
/** Replaces non-breaking spaces. */
const plain = (text: string | null | undefined) => text?.replaceAll("\u00a0", " ");
const submit = (name = "Сохранить") => screen.getByRole<HTMLButtonElement>("button", { name });

test("the suggested date is not saved with another limit", async () => {
  await showDialog();
  expect((await field("Новый срок сдачи")).value).toBe("01.12.2090 23:59");
  expect(submit().disabled).toBe(true);
  await userEvent.selectOptions(await field("Попытки"), "Больше попыток");
  await userEvent.type(await field("Сколько добавить"), "2");
  await userEvent.click(submit());
  await waitFor(() =>
    expect(server.saved).toEqual([
      {
        courseId: "c",
        enrollmentId: "s",
        pageId: "q",
        extraAttempts: 2,
        expected: null,
        expectedTimeZone: "UTC",
      },
    ]),
  );
});

test("a typed date stays in sight for another part, beside what that part has", async () => {
  server.overrides = [{ ...none, lessonId: "l", timeFactor: 2 } as Override];
  await showDialog();
  const due = await field("Новый срок сдачи");
  await userEvent.clear(due);
  await userEvent.type(due, "9.12.2090");
  await userEvent.selectOptions(await field("Часть курса"), "l");
  expect((await field("Новый срок сдачи")).value).toBe("9.12.2090");
  expect((await field("Во сколько раз больше")).value).toBe("2");
  await userEvent.click(submit());
  await waitFor(() =>
    expect(server.saved).toEqual([
      {
        courseId: "c",
        enrollmentId: "s",
        lessonId: "l",
        dueAt: "2090-12-09",
        timeFactor: 2,
        expected: { timeFactor: 2 },
        expectedTimeZone: "UTC",
      },
    ]),
  );
});

test("another attempt is one more than the group gives, and the dialog shows how many that is", async () => {
  server.overrides = [{ ...none, student: null, group, pageId: "q", extraAttempts: 3 } as Override];
  await showDialog("attempts");
  expect((await field("Сколько добавить")).value).toBe("4");
  await screen.findByText("У группы «10-А»: 5");
  await screen.findByText("Получится: 6");
  await userEvent.click(submit("Дать попытку"));
  // The server adds the attempt, because another teacher may grant one at the same time.
  await waitFor(() =>
    expect(server.saved).toEqual([{ courseId: "c", enrollmentId: "s", pageId: "q", addAttempts: 1 }]),
  );
});

test("a typed number of attempts replaces what was read", async () => {
  server.overrides = [{ ...none, pageId: "q", extraAttempts: 3, lifted: ["DUE_AT"] } as Override];
  await showDialog("attempts");
  await userEvent.clear(await field("Сколько добавить"));
  await userEvent.type(await field("Сколько добавить"), "9");
  await userEvent.click(submit("Дать попытку"));
  await waitFor(() =>
    expect(server.saved).toMatchObject([
      { extraAttempts: 9, dueAt: null, expected: { extraAttempts: 3, dueAt: null } },
    ]),
  );
});

test("a conflict shows what is stored and keeps what is typed, and the next save replaces that", async () => {
  await showDialog();
  await userEvent.selectOptions(await field("Попытки"), "Больше попыток");
  await userEvent.type(await field("Сколько добавить"), "2");
  server.others = { ...none, pageId: "q", dueAt: "2090-12-20T10:00:00Z" } as Override;
  await userEvent.click(submit());
  const note = (await screen.findByText(/изменил кто-то другой. Сейчас сохранено/)).parentElement;
  expect(note?.textContent).toContain("Сдать до 20 декабря 2090");
  expect(onClose).not.toHaveBeenCalled();
  expect((await field("Сколько добавить")).value).toBe("2");
  expect((await field("Новый срок сдачи")).value).toBe("20.12.2090 10:00");
  await userEvent.click(submit());
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(server.saved[1]).toEqual({
    courseId: "c",
    enrollmentId: "s",
    pageId: "q",
    dueAt: "2090-12-20T10:00:00Z",
    extraAttempts: 2,
    expected: { dueAt: "2090-12-20T10:00:00Z" },
    expectedTimeZone: "UTC",
  });
});

test("a conflict tells that the override is gone", async () => {
  server.overrides = [{ ...none, pageId: "q", timeFactor: 2 } as Override];
  await showDialog();
  await userEvent.selectOptions(await field("Попытки"), "Сколько угодно");
  server.others = null;
  await userEvent.click(submit());
  await screen.findByText(/его удалил кто-то другой/);
  await userEvent.click(submit());
  await waitFor(() => expect(server.saved[1]).toMatchObject({ extraAttempts: null, expected: null }));
});

test("undoing an added attempt expects what was saved", async () => {
  await showDialog("attempts");
  await field("Сколько добавить");
  await userEvent.click(submit("Дать попытку"));
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  runToastAction(Number(toastStore.get().at(-1)?.id));
  await waitFor(() => expect(server.saved[1]).toEqual({ overrideId: "new", expected: { extraAttempts: 1 } }));
});

test("after a refusal the dialog stays, and what is changed next is saved", async () => {
  server.failing.add("SetOverride");
  await showDialog();
  await userEvent.selectOptions(await field("Срок сдачи"), "Без срока");
  await userEvent.click(submit());
  await waitFor(() => expect(submit().disabled).toBe(false));
  expect(onClose).not.toHaveBeenCalled();
  server.failing.clear();
  await userEvent.selectOptions(await field("Часть курса"), "l");
  await userEvent.click(submit());
  await waitFor(() =>
    expect(server.saved).toEqual([
      {
        courseId: "c",
        enrollmentId: "s",
        lessonId: "l",
        dueAt: null,
        expected: null,
        expectedTimeZone: "UTC",
      },
    ]),
  );
});

test("earlier ends move with a new due date, and one undo restores all of them", async () => {
  server.overrides = [{ ...none, id: "of course", timeFactor: 2 } as Override];
  server.isClosing = true;
  await showDialog();
  const due = await field("Новый срок сдачи");
  await userEvent.clear(due);
  await userEvent.type(due, "9.12.2090");
  const choice = await screen.findByRole<HTMLInputElement>("checkbox", {
    name: /^Продлить.и.это.—.до.09\.12\.2090.23:59$/,
  });
  expect(choice.checked).toBe(true);
  const listed = screen.getAllByRole("listitem").map((item) => plain(item.textContent));
  expect(listed).toEqual(["Основы — 05.12.2090 10:00", "Первые шаги — 05.12.2090 10:00"]);
  expect(server.asked).toContainEqual({ dueAt: "2090-12-09" });
  await userEvent.click(submit());
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  const until = "2090-12-09T23:59:00Z";
  const common = { courseId: "c", enrollmentId: "s" };
  expect(server.saved).toEqual([
    {
      ...common,
      overrides: [
        { pageId: "q", dueAt: "2090-12-09", expected: null },
        { availableUntil: until, timeFactor: 2, expected: { timeFactor: 2 } },
        { lessonId: "l", availableUntil: until, expected: null },
      ],
      expectedTimeZone: "UTC",
    },
  ]);
  const toast = toastStore.get().at(-1);
  expect(plain(toast?.text)).toBe("Сохранено: Анна. Вместе со сроком продлено: Основы и Первые шаги.");
  runToastAction(Number(toast?.id));
  await waitFor(() =>
    expect(server.saved[1]).toEqual({
      ...common,
      overrides: [
        { pageId: "q", expected: { dueAt: "2090-12-09" } },
        { timeFactor: 2, expected: { availableUntil: until, timeFactor: 2 } },
        { lessonId: "l", expected: { availableUntil: until } },
      ],
    }),
  );
});

test("an end that the note did not show is shown before it is moved", async () => {
  server.isClosing = true;
  await showDialog();
  const due = await field("Новый срок сдачи");
  await userEvent.clear(due);
  await userEvent.type(due, "9.12.2090");
  await screen.findByRole("checkbox", { name: /^Продлить.и.это/ });
  // Somebody closes the module earlier while the dialog is open.
  server.alsoClosing = [{ moduleId: "m" }];
  await userEvent.click(submit());
  await screen.findByText(/закроются части из списка ниже/);
  expect(server.saved).toEqual([]);
  await waitFor(() =>
    expect(screen.getAllByRole("listitem").map((item) => plain(item.textContent))).toContain(
      "Модуль — 05.12.2090 10:00",
    ),
  );
  await userEvent.click(submit());
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  const { overrides } = server.saved[0] as { overrides: object[] };
  expect(overrides.map((entry) => Object.keys(entry)[0])).toEqual([
    "pageId",
    "availableUntil",
    "moduleId",
    "lessonId",
  ]);
});

test("a typed closing date is saved unchanged", async () => {
  server.isClosing = true;
  server.alsoClosing = [{ pageId: "q" }];
  await showDialog();
  const due = await field("Новый срок сдачи");
  await userEvent.clear(due);
  await userEvent.type(due, "9.12.2090");
  await userEvent.selectOptions(await field("Когда закроется"), "Другой день");
  await userEvent.type(await field("Новое закрытие"), "8.12.2090");
  await waitFor(() =>
    expect(server.asked).toContainEqual({ dueAt: "2090-12-09", availableUntil: "2090-12-08" }),
  );
  const listed = screen.getAllByRole("listitem").map((item) => plain(item.textContent));
  expect(listed).toEqual(["Основы — 05.12.2090 10:00", "Первые шаги — 05.12.2090 10:00"]);
  await userEvent.click(submit());
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  const { overrides } = server.saved[0] as { overrides: object[] };
  expect(overrides[0]).toEqual({
    pageId: "q",
    dueAt: "2090-12-09",
    availableUntil: "2090-12-08",
    expected: null,
  });
});

test("a conflict with a part above is reported as such, and the next save is based on its stored override", async () => {
  server.isClosing = true;
  await showDialog();
  const due = await field("Новый срок сдачи");
  await userEvent.clear(due);
  await userEvent.type(due, "9.12.2090");
  await screen.findByRole("checkbox", { name: /^Продлить.и.это/ });
  const stored = { ...none, id: "of lesson", lessonId: "l", timeFactor: 2 } as Override;
  server.othersTogether = [
    { __typename: "PartOverride", moduleId: null, lessonId: "l", pageId: null, scheduleOverride: stored },
  ];
  server.overrides = [stored];
  await userEvent.click(submit());
  const note = await screen.findByText(/изменил продления частей, в которые входит эта/);
  expect(note.textContent).toContain("«Первые шаги»");
  expect(screen.queryByText(/его изменил кто-то другой|удалил/)).toBeNull();
  expect((await field("Новый срок сдачи")).value).toBe("9.12.2090");
  await userEvent.click(submit());
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  const { overrides } = server.saved[1] as { overrides: object[] };
  expect(overrides[2]).toMatchObject({ lessonId: "l", timeFactor: 2, expected: { timeFactor: 2 } });
});

test("parts and students with earlier dates of their own are named, at most the first ones", async () => {
  const at = "2090-12-02T10:00:00Z";
  server.earlierParts = [{ __typename: "EarlierPart", moduleId: null, lessonId: null, pageId: "q", at }];
  server.earlierStudents = Array.from({ length: 8 }, (_, index) => ({
    __typename: "EarlierStudent",
    student: {
      __typename: "OverrideStudent",
      id: `s${index}`,
      fullName: null,
      email: `s${index}@example.com`,
    },
    at,
  }));
  await showDialog();
  const due = await field("Новый срок сдачи");
  expect(screen.queryByText(/свои сроки/)).toBeNull();
  await userEvent.clear(due);
  await userEvent.type(due, "9.12.2090");
  const listOf = async (heading: RegExp) => {
    const items = (await screen.findByText(heading)).parentElement?.querySelectorAll("li") ?? [];
    return [...items].map((item) => plain(item.textContent));
  };
  expect(await listOf(/^У этих частей свои сроки/)).toEqual(["Проверьте себя — 02.12.2090 10:00"]);
  const students = await listOf(/^У этих учеников свои сроки/);
  expect(students).toHaveLength(6);
  expect([students[0], students[5]]).toEqual(["s0@example.com — 02.12.2090 10:00", "и ещё 3"]);
});

test("an end is not moved when the user declines", async () => {
  server.isClosing = true;
  await showDialog();
  const due = await field("Новый срок сдачи");
  await userEvent.clear(due);
  await userEvent.type(due, "9.12.2090");
  await userEvent.click(await screen.findByRole("checkbox", { name: /^Продлить.и.это/ }));
  await screen.findByText("Сдавать можно будет только до закрытия.");
  await userEvent.click(submit());
  await waitFor(() => expect(server.saved).toMatchObject([{ pageId: "q", dueAt: "2090-12-09" }]));
  expect(server.saved[0]).not.toHaveProperty("overrides");
});

test("times typed in an outdated time zone are kept, and the override is not reported as changed", async () => {
  server.overrides = [{ ...none, pageId: "q", timeFactor: 2 } as Override];
  await showDialog();
  await userEvent.selectOptions(await field("Попытки"), "Сколько угодно");
  server.others = server.overrides[0] as Override;
  await userEvent.click(submit());
  await waitFor(() => expect(submit().disabled).toBe(false));
  expect(screen.queryByText(/Сейчас сохранено|удалил/)).toBeNull();
  expect(onClose).not.toHaveBeenCalled();
});

test("nothing can be saved until the group of the student is known", async () => {
  server.failing.add("OverrideStudentGroup");
  await showDialog("attempts");
  await screen.findByRole("alert");
  expect(screen.queryByLabelText("Сколько добавить")).toBeNull();
  expect(submit("Дать попытку").disabled).toBe(true);
  server.failing.clear();
  await userEvent.click(screen.getByRole("button", { name: "Повторить" }));
  await field("Сколько добавить");
  expect(submit("Дать попытку").disabled).toBe(false);
});
