import { beforeAll, describe, expect, test } from "vitest";
import { addWords, i18n, setLanguage, startI18n } from "../i18n";
import { learning } from "../i18n/ru/learning";
import { type Lesson, leftInLesson, type Page, resumeAt, whatIsLeft, whyNotDone } from "./left";

beforeAll(async () => {
  await startI18n();
  addWords({ learning });
});

const plain = (text: string | null) => text?.replaceAll("\u00a0", " ") ?? null;

let made = 0;

function read(isCompleted = false): Page {
  const reason = isCompleted ? null : { kind: "NOT_VISITED" as const, bestPercent: null, attemptsLeft: null };
  made += 1;
  return {
    id: `p${made}`,
    title: null,
    number: 1,
    kind: "CONTENT",
    isVisited: isCompleted,
    isCompleted,
    reason,
  };
}

function quiz(bestPercent: number | null = null, attemptsLeft: number | null = null): Page {
  const reason = { kind: "QUIZ_NOT_PASSED" as const, bestPercent, attemptsLeft };
  return { ...read(), kind: "QUIZ", reason };
}

function lesson(...pages: Page[]): Lesson {
  return { id: "l", title: "Урок", isCompleted: pages.every((page) => page.isCompleted), pages };
}

const course = (...lessons: Lesson[]) => [
  { id: "m", title: "Модуль", description: null, avatarUrl: null, lessons },
];

describe("a lesson says what is missing in it", () => {
  const words = (...pages: Page[]) => plain(leftInLesson(lesson(...pages), i18n.language, i18n.t));
  test("nothing, when all is done", () => expect(words(read(true))).toBeNull());
  test.each([
    [[read()], "Осталось прочитать 1 страницу"],
    [[read(), read(), read(true)], "Осталось прочитать 2 страницы"],
    [[quiz()], "Осталось пройти 1 тест"],
    [Array.from({ length: 5 }, () => quiz()), "Осталось пройти 5 тестов"],
    [
      [...Array.from({ length: 21 }, () => read()), quiz(), quiz()],
      "Осталось прочитать 21 страницу и пройти 2 теста",
    ],
  ])("case %#", (pages, text) => expect(words(...pages)).toBe(text));
});

describe("a page says why it is not done", () => {
  const words = ({ reason }: Page) => plain(reason && whyNotDone(reason, i18n.t));
  test.each([
    [read(), "Не прочитана"],
    [quiz(), "Тест ещё не пройден"],
    [quiz(null, 3), "Тест ещё не пройден, осталось 3 попытки"],
    [quiz(40), "Тест не пройден, лучший результат — 40 %"],
    [quiz(0, 1), "Тест не пройден, лучший результат — 0 %, осталась 1 попытка"],
    [quiz(69, 0), "Тест не пройден, лучший результат — 69 %, попыток больше нет"],
  ])("case %#", (page, text) => expect(words(page)).toBe(text));

  test("in English too", async () => {
    await setLanguage("en");
    expect(words(quiz(40, 1))).toBe("Quiz not passed, best result 40%, 1 attempt left");
    await setLanguage("ru");
  });
});

describe("one goes on", () => {
  const next = (...pages: Page[]) => resumeAt(whatIsLeft(course(lesson(...pages))));
  test("at the first page that is not done", () => {
    const page = read();
    expect(next(read(true), page, read())).toBe(page);
  });
  test("past a quiz without attempts", () => {
    const page = read();
    expect(next(quiz(10, 0), page)).toBe(page);
    expect(next(quiz(10, 1), page)?.kind).toBe("QUIZ");
  });
  test("nowhere, when all is done or can no longer be", () => {
    expect(next(read(true))).toBeUndefined();
    expect(next(read(true), quiz(10, 0))).toBeUndefined();
  });
});
