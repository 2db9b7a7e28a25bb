import { act, cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { said } from "../quiz/testing";
import { answer, comment, openTab, person, points, saves } from "./testing";

beforeEach(() => {
  localStorage.setItem("access_token", "token");
  vi.stubGlobal("scrollTo", () => {});
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  localStorage.clear();
});

const level = (id: string, name: string, points: number) => ({ id, name, points, description: "" });
const rubric = {
  criteria: [
    {
      id: "c1",
      name: "Физика",
      description: "",
      maxPoints: 3,
      levels: [level("l3", "Верно", 3), level("l1", "Частично", 1), level("l0", "Неверно", 0)],
    },
    {
      id: "c2",
      name: "Пример",
      description: "Из жизни",
      maxPoints: 2,
      levels: [level("m2", "Есть", 2), level("m0", "Нет", 0)],
    },
  ],
};
const marked = (id: string, over = {}) => answer(id, { rubric, ...over });
const criterion = (name: RegExp) => screen.findByRole("button", { name }, { timeout: 10_000 });
const inputs = (app: Awaited<ReturnType<typeof openTab>>) =>
  saves(app).map(({ input }) => input as Record<string, unknown>);

test("digits choose levels criterion by criterion, the points are their sum, and one key stores them", async () => {
  const [first, second] = [marked("a1"), marked("a2")];
  const app = await openTab("&answer=a1:q", [first, second], {
    AssessAndClaimNext: () => ({
      assessAnswer: { answer: { ...first, points: 3, version: 1, state: "RELEASED" }, conflict: null },
      claimNextAnswer: { answer: second },
    }),
  });
  const head = await criterion(/^Физика/);
  expect(head.getAttribute("aria-expanded")).toBe("true");
  await waitFor(() => expect(document.activeElement?.textContent).toContain("Верно"));
  fireEvent.keyDown(document.activeElement as Element, { key: "2", code: "Digit2" });
  expect(head.getAttribute("aria-expanded")).toBe("false");
  expect(head.textContent).toContain("Частично");
  expect(screen.getByText(/^Выбрано 1 из.2/)).toBeTruthy();
  expect(document.activeElement?.textContent).toContain("Есть");
  fireEvent.keyDown(document.activeElement as Element, { key: "1", code: "Digit1" });
  const field = await points();
  expect([field.value, field.readOnly]).toEqual(["3", true]);
  fireEvent.change(screen.getByRole("textbox", { name: /критерию: Пример$/ }), {
    target: { value: "Удачный" },
  });
  fireEvent.keyDown(document.activeElement as Element, { key: "Enter", ctrlKey: true });
  await screen.findByRole("heading", { name: "Ученик a2" });
  expect(inputs(app)).toEqual([
    {
      attemptId: "a1",
      questionId: "q",
      version: 0,
      comment: null,
      marks: [
        { criterionId: "c1", levelId: "l1", comment: null },
        { criterionId: "c2", levelId: "m2", comment: "Удачный" },
      ],
    },
  ]);
});

test("incomplete marks are not stored; without marks, points are typed", async () => {
  const first = marked("a1");
  const app = await openTab("&answer=a1:q", [first], {
    AssessAndClaimNext: () => ({
      assessAnswer: { answer: { ...first, points: 4, version: 1, state: "RELEASED" }, conflict: null },
      claimNextAnswer: { answer: null },
    }),
  });
  fireEvent.click(await screen.findByRole("button", { name: /Верно/ }, { timeout: 10_000 }));
  const field = await points();
  fireEvent.keyDown(field, { key: "Enter", ctrlKey: true });
  await screen.findByText(/Выберите уровень каждого критерия/);
  expect(saves(app)).toEqual([]);
  fireEvent.click(screen.getByRole("button", { name: "Сбросить выбор" }));
  expect(screen.queryByText(/Выберите уровень каждого критерия/)).toBeNull();
  field.focus();
  fireEvent.keyDown(field, { key: "4", code: "Digit4" });
  fireEvent.change(field, { target: { value: "4" } });
  fireEvent.keyDown(field, { key: "Enter", ctrlKey: true });
  await screen.findByRole("heading", { name: "Всё проверено" });
  expect(inputs(app)[0]).toMatchObject({ points: 4, comment: null });
  expect(inputs(app)[0]).not.toHaveProperty("marks");
});

test("a choice with comments that was cleared comes back with one click", async () => {
  await openTab("&answer=a1:q", [marked("a1")]);
  const head = await criterion(/^Физика/);
  fireEvent.change(screen.getByRole("textbox", { name: /критерию: Физика$/ }), { target: { value: "Мало" } });
  fireEvent.click(screen.getByRole("button", { name: /Частично/ }));
  fireEvent.click(screen.getByRole("button", { name: "Сбросить выбор" }));
  expect(head.textContent).not.toContain("1 из");
  fireEvent.click(await screen.findByRole("button", { name: "Отменить" }));
  expect(head.textContent).toContain("1 из");
  expect(screen.getByRole<HTMLTextAreaElement>("textbox", { name: /критерию: Физика$/ }).value).toBe("Мало");
});

test("a conflict keeps marks and comments on places, and shows both assessments", async () => {
  const first = marked("a1");
  const theirs = marked("a1", {
    points: 1,
    version: 1,
    state: "RELEASED",
    marks: [
      { criterionId: "c1", levelId: "l1", comment: null },
      { criterionId: "c2", levelId: "m0", comment: "Нет примера" },
    ],
    history: [
      {
        version: 1,
        points: 1,
        comment: null,
        marks: [
          { criterionId: "c1", levelId: "l1", comment: null },
          { criterionId: "c2", levelId: "m0", comment: "Нет примера" },
        ],
        pins: [],
        by: person("k", "Коллега"),
        at: "2026-11-26T10:00:00Z",
      },
    ],
  });
  let stored = 0;
  const app = await openTab("&answer=a1:q", [first], {
    AssessAndClaimNext: () => {
      stored += 1;
      const isFirst = stored === 1;
      return {
        assessAnswer: isFirst
          ? { answer: null, conflict: { message: "changed", answer: theirs } }
          : { answer: { ...theirs, points: 5, version: 2 }, conflict: null },
        claimNextAnswer: { answer: null },
      };
    },
  });
  fireEvent.click(await screen.findByRole("button", { name: /Верно/ }, { timeout: 10_000 }));
  fireEvent.click(screen.getByRole("button", { name: /Есть/ }));
  fireEvent.click(screen.getByRole("button", { name: /^Комментарий.к.месту/ }));
  const text = document.querySelector("[data-chosen]")?.closest("[tabindex]") as Element;
  fireEvent.keyDown(text, { key: "Enter" });
  const pin = screen.getByRole("textbox", { name: "Комментарий 1: «Ответ a1»" });
  await waitFor(() => expect(document.activeElement).toBe(pin));
  fireEvent.change(pin, { target: { value: "Подробнее" } });
  fireEvent.keyDown(pin, { key: "Enter", ctrlKey: true });
  const alert = await screen.findByRole("alert");
  const side = (name: string) =>
    within(alert).getByRole("region", { name }).textContent?.replaceAll("\u00a0", " ");
  expect(side("Сохранённая оценка")).toContain("Пример: Нет (0) — Нет примера");
  expect(side("Ваша оценка")).toContain("Физика: Верно (3)");
  expect(side("Ваша оценка")).toContain("1 комментарий к месту ответа");
  fireEvent.keyDown(comment(), { key: "Enter", ctrlKey: true });
  await screen.findByRole("heading", { name: "Всё проверено" });
  expect(inputs(app).map(({ version, marks, pins }) => [version, marks, pins])).toEqual(
    [0, 1].map((version) => [
      version,
      [
        { criterionId: "c1", levelId: "l3", comment: null },
        { criterionId: "c2", levelId: "m2", comment: null },
      ],
      [{ start: 0, end: 8, comment: "Подробнее" }],
    ]),
  );
});

test("an assessment that was not stored is there again after the tab was closed", async () => {
  const draft = {
    version: 0,
    values: {
      points: "",
      comment: "Начал",
      choices: [
        { criterionId: "c1", levelId: "l3", comment: "" },
        { criterionId: "gone", levelId: "x", comment: "" },
      ],
      pins: [{ start: 0, end: 5, fileId: null, x: null, y: null, comment: "Кто?" }],
    },
  };
  localStorage.setItem("grading-draft:me:a1:q", JSON.stringify(draft));
  await openTab("&answer=a1:q", [marked("a1")]);
  const head = await criterion(/^Физика/);
  await waitFor(() => expect(head.textContent).toContain("3 из"));
  expect(comment().value).toBe("Начал");
  expect(screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Комментарий 1: «Ответ»" }).value).toBe(
    "Кто?",
  );
  fireEvent.change(comment(), { target: { value: "Начал и продолжил" } });
  const kept = JSON.parse(localStorage.getItem("grading-draft:me:a1:q") ?? "null");
  expect(kept.values).toMatchObject({ comment: "Начал и продолжил", pins: [{ comment: "Кто?" }] });
});

/** An answer that somebody has graded. */
const stored = (by: string, comment: string) => {
  const at = "2026-11-26T10:00:00Z";
  const history = [
    { version: 1, isReturned: false, points: 2, comment, marks: [], pins: [], by: person(by, "Коллега"), at },
  ];
  return { points: 2, comment, version: 1, history };
};

test("a draft on top of an older assessment shows the newer one beside it", async () => {
  const values = { points: "5", comment: "Моё", choices: [], pins: [] };
  localStorage.setItem("grading-draft:me:a1:q", JSON.stringify({ version: 0, values }));
  await openTab("&answer=a1:q", [answer("a1", stored("k", "Их"))]);
  const alert = await screen.findByRole("alert", {}, { timeout: 10_000 });
  expect(alert.textContent).toContain("Их");
  fireEvent.click(within(alert).getByRole("button", { name: "Оставить сохранённую" }));
  expect(comment().value).toBe("Их");
  expect(localStorage.getItem("grading-draft:me:a1:q")).toBeNull();
});

test("a conflict is shown again when the answer is opened again", async () => {
  const values = { points: "5", comment: "Моё", choices: [], pins: [] };
  localStorage.setItem("grading-draft:me:a1:q", JSON.stringify({ version: 0, values }));
  const theirs = stored("k", "Их");
  for (let times = 0; times < 2; times += 1) {
    await openTab("&answer=a1:q", [answer("a1", theirs)]);
    const alert = await screen.findByRole("alert", {}, { timeout: 10_000 });
    expect(alert.textContent).toContain("Их");
    expect(comment().value).toBe("Моё");
    cleanup();
  }
});

test("the draft of one's own assessment whose response was lost is dropped", async () => {
  const values = { points: "2", comment: "Моё", choices: [], pins: [] };
  localStorage.setItem("grading-draft:me:a1:q", JSON.stringify({ version: 0, values }));
  await openTab("&answer=a1:q", [answer("a1", stored("me", "Моё"))]);
  await points();
  expect(comment().value).toBe("Моё");
  expect(screen.queryByRole("alert")).toBeNull();
  expect(localStorage.getItem("grading-draft:me:a1:q")).toBeNull();
});

test("C chooses a place by arrow keys, and Escape cancels", async () => {
  await openTab("&answer=a1:q", [answer("a1", { content: said("Небо синее. Почему?") })]);
  const field = await points();
  fireEvent.keyDown(field, { key: "с", code: "KeyC" });
  const chosen = () =>
    [...document.querySelectorAll("[data-chosen]")].map(({ textContent }) => textContent).join("");
  expect(chosen()).toBe("Небо синее.");
  const text = () => document.querySelector("[data-chosen]")?.closest("[tabindex]") as Element;
  fireEvent.keyDown(text(), { key: "ArrowDown" });
  expect(chosen()).toBe("Почему?");
  fireEvent.keyDown(text(), { key: "ArrowLeft" });
  expect(chosen()).toBe("синее");
  fireEvent.keyDown(text(), { key: "Escape" });
  expect(chosen()).toBe("");
  fireEvent.keyDown(document.activeElement as Element, { key: "c", code: "KeyC" });
  fireEvent.keyDown(text(), { key: "Enter" });
  const pin = screen.getByRole("textbox", { name: "Комментарий 1: «Небо синее.»" });
  fireEvent.keyDown(pin, { key: "Escape" });
  expect(screen.queryByRole("list", { name: "Комментарии к местам ответа" })).toBeNull();
});

test("selected text gets a comment with a button beside it", async () => {
  await openTab("&answer=a1:q", [answer("a1", { content: said("Небо 🌍 синее") })]);
  await points();
  const node = screen.getByText("Небо 🌍 синее").firstChild as Text;
  vi.spyOn(Range.prototype, "getClientRects").mockReturnValue([] as unknown as DOMRectList);
  act(() => {
    getSelection()?.setBaseAndExtent(node, 8, node, 13);
    document.dispatchEvent(new Event("selectionchange"));
  });
  fireEvent.click(await screen.findByRole("button", { name: "Комментарий" }));
  const pin = screen.getByRole("textbox", { name: "Комментарий 1: «синее»" });
  fireEvent.change(pin, { target: { value: "Голубое" } });
  fireEvent.click(screen.getByRole("button", { name: "Удалить комментарий 1" }));
  expect(screen.queryByRole("textbox", { name: /Комментарий 1/ })).toBeNull();
  fireEvent.click(await screen.findByRole("button", { name: "Отменить" }));
  expect(screen.getByRole<HTMLTextAreaElement>("textbox", { name: /Комментарий 1/ }).value).toBe("Голубое");
});

test("a click on a picture places a comment, and arrow keys move its point", async () => {
  const file = { id: "f1", filename: "Схема.png", contentType: "image/png", size: 9, url: "/files/f1" };
  const first = answer("a1", { content: null, files: [file], words: 0 });
  const app = await openTab("&answer=a1:q", [first], {
    AssessAndClaimNext: () => ({
      assessAnswer: { answer: { ...first, points: 4, version: 1 }, conflict: null },
      claimNextAnswer: { answer: null },
    }),
  });
  const field = await points();
  const picture = within(screen.getByRole("region", { name: "Ответ ученика" })).getByRole("presentation")
    .parentElement as HTMLElement;
  picture.getBoundingClientRect = () => ({ left: 10, top: 10, width: 200, height: 100 }) as DOMRect;
  fireEvent.click(picture, { clientX: 60, clientY: 60 });
  const comments = screen.getByRole("textbox", { name: /^Комментарий 1: На изображении/ });
  fireEvent.change(comments, { target: { value: "Стрелка не туда" } });
  const point = screen.getByRole("button", { name: /^Комментарий 1: 25 % слева/ });
  fireEvent.keyDown(point, { key: "ArrowRight" });
  fireEvent.keyDown(point, { key: "ArrowUp", shiftKey: true });
  fireEvent.change(field, { target: { value: "4" } });
  fireEvent.keyDown(field, { key: "Enter", ctrlKey: true });
  await screen.findByRole("heading", { name: "Всё проверено" });
  expect(inputs(app)[0]?.pins).toEqual([{ fileId: "f1", x: 26, y: 40, comment: "Стрелка не туда" }]);
});
