import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
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

test("points and a reused comment are stored with two keys, and the next answer opens", async () => {
  const [first, second] = [answer("a1"), answer("a2")];
  localStorage.setItem("grading-comments:me:q", JSON.stringify({ comments: ["Нет примера"], usedAt: 1 }));
  const app = await openTab("&answer=a1:q", [first, second], {
    AssessAndClaimNext: () => ({
      assessAnswer: { answer: { ...first, points: 4, version: 1, state: "RELEASED" }, conflict: null },
      claimNextAnswer: { answer: second },
    }),
  });
  const field = await points();
  await waitFor(() => expect(document.activeElement).toBe(field));
  fireEvent.change(field, { target: { value: "4" } });
  fireEvent.keyDown(field, { key: "1", code: "Digit1", altKey: true });
  expect(comment().value).toBe("Нет примера");
  fireEvent.keyDown(field, { key: "Enter", ctrlKey: true });
  await screen.findByRole("heading", { name: "Ученик a2" });
  expect(saves(app)).toEqual([
    {
      input: { attemptId: "a1", questionId: "q", version: 0, points: 4, comment: "Нет примера" },
      next: { courseId: "c", pageId: null, questionId: null, groupId: null },
    },
  ]);
  expect((await points()).value).toBe("");
});

test("a conflict shows both grades, and neither is lost", async () => {
  const first = answer("a1");
  const theirs = answer("a1", {
    points: 2,
    comment: "Коротко",
    version: 1,
    state: "RELEASED",
    history: [
      {
        version: 1,
        isReturned: false,
        points: 2,
        comment: "Коротко",
        marks: [],
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
      return stored === 1
        ? {
            assessAnswer: { answer: null, conflict: { message: "changed", answer: theirs } },
            claimNextAnswer: { answer: null },
          }
        : {
            assessAnswer: { answer: { ...theirs, points: 5, version: 2 }, conflict: null },
            claimNextAnswer: { answer: null },
          };
    },
  });
  const field = await points();
  fireEvent.change(field, { target: { value: "5" } });
  fireEvent.change(comment(), { target: { value: "Отлично" } });
  fireEvent.keyDown(field, { key: "Enter", ctrlKey: true });
  const alert = await screen.findByRole("alert");
  expect(within(alert).getByRole("region", { name: "Сохранённая оценка" }).textContent).toContain("Коротко");
  expect(within(alert).getByRole("region", { name: "Ваша оценка" }).textContent).toContain("Отлично");
  expect([field.value, comment().value]).toEqual(["5", "Отлично"]);
  fireEvent.keyDown(field, { key: "Enter", ctrlKey: true });
  await screen.findByRole("heading", { name: "Всё проверено" });
  expect(saves(app).map(({ input }) => (input as { version: number }).version)).toEqual([0, 1]);
});

test("points above the maximum are rejected on the client", async () => {
  const app = await openTab("&answer=a1:q", [answer("a1")]);
  const field = await points();
  fireEvent.change(field, { target: { value: "6" } });
  fireEvent.keyDown(field, { key: "Enter", ctrlKey: true });
  await screen.findByText(/Введите число от 0/);
  expect(saves(app)).toEqual([]);
});

test("J and K move in the queue, and digits are typed into the points field", async () => {
  const app = await openTab("&answer=a1:q", [answer("a1"), answer("a2")]);
  fireEvent.keyDown(await points(), { key: "о", code: "KeyJ" });
  const heading = await screen.findByRole("heading", { name: "Ученик a2" });
  fireEvent.keyDown(heading, { key: "5", code: "Digit5" });
  expect(document.activeElement).toBe(await points());
  fireEvent.keyDown(heading, { key: "k", code: "KeyK" });
  await screen.findByRole("heading", { name: "Ученик a1" });
  fireEvent.keyDown(comment(), { key: "j", code: "KeyJ" });
  expect(app.router.state.location.search).toMatchObject({ answer: "a1:q" });
});

test("files are shown in place of a text, and F opens the first one", async () => {
  const file = (id: string, filename: string, contentType: string) => ({
    id,
    filename,
    contentType,
    size: 2048,
    url: `/files/answers/${id}/${filename}?expires=1800000000&signature=ab`,
  });
  const files = [
    file("f1", "Схема.png", "image/png"),
    file("f2", "Отчёт.pdf", "application/pdf"),
    file("f3", "Расчёт.xlsx", "application/zip"),
  ];
  await openTab("&answer=a1:q", [answer("a1", { content: null, files, words: 0 })]);
  const field = await points();
  const shown = within(screen.getByRole("region", { name: "Ответ ученика" }));
  const links = shown.getAllByRole<HTMLAnchorElement>("link");
  expect(links.map(({ target, download }) => [target, download])).toEqual([
    ["_blank", ""],
    ["_blank", ""],
    ["", "Расчёт.xlsx"],
  ]);
  expect(shown.getByRole("presentation").getAttribute("src")).toBe(files[0]?.url);
  expect(screen.getByText(/3 файла/)).toBeTruthy();
  expect(screen.queryByText(/слов/)).toBeNull();
  const opened = vi.fn((event: Event) => event.preventDefault());
  for (const link of links) link.addEventListener("click", opened);
  fireEvent.keyDown(field, { key: "а", code: "KeyF" });
  expect(opened.mock.calls.map(([event]) => event.currentTarget ?? event.target)).toEqual([links[0]]);
  fireEvent.keyDown(comment(), { key: "а", code: "KeyF" });
  expect(opened).toHaveBeenCalledTimes(1);
  fireEvent.error(shown.getByRole("presentation"));
  expect(shown.queryByRole("presentation")).toBeNull();
});

test("F does nothing where the answer has no files", async () => {
  await openTab("&answer=a1:q", [answer("a1")]);
  const event = new KeyboardEvent("keydown", { code: "KeyF", bubbles: true, cancelable: true });
  (await points()).dispatchEvent(event);
  expect(event.defaultPrevented).toBe(false);
});

test("a blind course shows numbers in place of names", async () => {
  const blind = [answer("a1", { student: null }), answer("a2", { student: null })];
  await openTab("", blind, {}, true);
  const queue = await screen.findByRole("navigation", { name: "Очередь проверки" });
  expect(
    within(queue)
      .getAllByRole("link")
      .map((link) => link.firstChild?.textContent),
  ).toEqual(["Ответ 1", "Ответ 2"]);
});
