import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openCourse } from "./testing";

beforeEach(() => {
  localStorage.setItem("access_token", "token");
  vi.stubGlobal("scrollTo", () => {});
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  localStorage.clear();
});

interface Settings {
  isOn: boolean;
  allowsAnonymous: boolean;
  isPerGroup: boolean;
  words: string[];
}

const none = { __typename: "DiscussionConnection", totalCount: 0 };

/** Opens the settings with a server that stores those of questions; `stored` is what it has. */
async function openSettings(myRole = "OWNER") {
  const stored: Settings = { isOn: true, allowsAnonymous: false, isPerGroup: false, words: ["дурак"] };
  const course = () => ({
    __typename: "Course",
    id: "c",
    discussionSettings: { __typename: "DiscussionSettings", ...stored, words: [...stored.words] },
  });
  const app = await openCourse(
    "?tab=settings",
    () => [],
    { myRole },
    {
      // It reads the settings, too, and shares them in the cache.
      QuestionCounts: () => ({
        course: { ...course(), allQuestions: none, unansweredQuestions: none, reportedQuestions: none },
      }),
      QuestionSettings: () => ({ course: course() }),
      SetQuestions: ({ input }) => {
        const { courseId: _, ...changes } = input as Partial<Settings> & { courseId: string };
        Object.assign(stored, changes);
        return { setDiscussions: { course: course() } };
      },
    },
  );
  const sent = () =>
    app.asked.filter(({ name }) => name === "SetQuestions").map(({ variables }) => variables.input);
  return { app, stored, sent };
}

const words = () => screen.findByRole<HTMLTextAreaElement>("textbox", { name: "Запрещённые слова" });
const box = (name: string) => screen.getByRole<HTMLInputElement>("checkbox", { name });
const save = () => fireEvent.click(screen.getByRole("button", { name: "Сохранить настройки вопросов" }));

test("only what was changed is sent", async () => {
  const { sent } = await openSettings();
  expect((await words()).value).toBe("дурак");
  expect(box("Ученики могут задавать вопросы").checked).toBe(true);
  fireEvent.click(box("Можно писать без имени"));
  save();
  await waitFor(() => expect(sent()).toEqual([{ courseId: "c", allowsAnonymous: true }]));
  await screen.findByText("Настройки вопросов сохранены.");
  fireEvent.change(await words(), { target: { value: "дурак\n\n готовые   ответы \nдурак" } });
  save();
  await waitFor(() => expect(sent()[1]).toEqual({ courseId: "c", words: ["дурак", "готовые ответы"] }));
  // The field shows the stored words.
  await waitFor(async () => expect((await words()).value).toBe("дурак\nготовые ответы"));
  expect(
    screen.getByRole<HTMLButtonElement>("button", { name: "Сохранить настройки вопросов" }).disabled,
  ).toBe(true);
});

test("words that a colleague has changed in the meantime are kept", async () => {
  const { stored, sent } = await openSettings();
  fireEvent.change(await words(), { target: { value: "дурак\nсписать" } });
  stored.words = ["дурак", "ответы"];
  save();
  await waitFor(() => expect(sent()).toEqual([{ courseId: "c", words: ["дурак", "ответы", "списать"] }]));
  await screen.findByText(/тем временем внёс коллега/);
  await waitFor(async () => expect((await words()).value).toBe("дурак\nответы\nсписать"));
});

test("words that were only put in another order keep it", async () => {
  const { stored, sent } = await openSettings();
  await waitFor(async () => expect((await words()).value).toBe("дурак"));
  fireEvent.change(await words(), { target: { value: "ответы\nдурак" } });
  save();
  await waitFor(() => expect(sent()).toEqual([{ courseId: "c", words: ["ответы", "дурак"] }]));
  await screen.findByText("Настройки вопросов сохранены.");
  expect((await words()).value).toBe("ответы\nдурак");
  expect(stored.words).toEqual(["ответы", "дурак"]);
});

test("too many and too long words are refused before they are sent", async () => {
  const { sent } = await openSettings();
  const many = Array.from({ length: 101 }, (_, at) => `слово${at}`).join("\n");
  fireEvent.change(await words(), { target: { value: many } });
  save();
  await screen.findByText("Не больше 100 слов и выражений");
  fireEvent.change(await words(), { target: { value: "я".repeat(51) } });
  await screen.findByText("Слово или выражение не длиннее 50 знаков");
  expect(sent()).toEqual([]);
});

test("an editor does not have the section, because editors do not manage questions", async () => {
  const { app } = await openSettings("EDITOR");
  await screen.findByRole("heading", { name: "Команда" });
  expect(screen.queryByRole("textbox", { name: "Запрещённые слова" })).toBeNull();
  expect(app.asked.some(({ name }) => name === "QuestionSettings")).toBe(false);
});
