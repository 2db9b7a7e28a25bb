import { beforeAll, describe, expect, test } from "vitest";
import { i18n, setLanguage } from "../i18n";
import { aLesson } from "../testing/aLesson";
import { notVisited } from "../testing/notVisited";
import { openTimes } from "../testing/openTimes";
import { startI18n } from "../testing/startI18n";
import {
  incompleteReason,
  type Lesson,
  type Page,
  remainingInLesson,
  remainingPages,
  resumeAt,
  stateOf,
} from "./remaining";

beforeAll(async () => {
  await startI18n();
});

const plain = (text: string | null) => text?.replaceAll("\u00a0", " ") ?? null;

let made = 0;

function read(isCompleted = false): Page {
  const reason = isCompleted ? null : notVisited;
  made += 1;
  return {
    id: `p${made}`,
    title: null,
    number: 1,
    kind: "CONTENT",
    published: true,
    isVisited: isCompleted,
    isCompleted,
    reason,
    timeline: openTimes,
  };
}

function quiz(bestPercent: number | null = null, attemptsLeft: number | null = null): Page {
  const reason = { ...notVisited, kind: "QUIZ_NOT_PASSED" as const, bestPercent, attemptsLeft };
  return { ...read(), kind: "QUIZ", reason };
}

const taken = { ...notVisited, kind: "QUIZ_NOT_PASSED" as const, bestPercent: 0, attemptsLeft: 1 };

/** A quiz with an answer that nobody has graded. */
const waiting = (): Page => ({ ...read(), kind: "QUIZ", reason: { ...taken, isWaiting: true } });

const assignment = (page: Page): Page => ({ ...page, kind: "ASSIGNMENT" });

/** An assignment whose work was returned for revision. */
const returned = (): Page => assignment({ ...read(), reason: { ...taken, isReturned: true } });

function lesson(...pages: Page[]): Lesson {
  return aLesson("l", pages, {
    isCompleted: pages.every((page) => page.isCompleted),
    timeline: openTimes,
  });
}

const course = (...lessons: Lesson[]) => [
  { id: "m", title: "Модуль", description: null, avatarUrl: null, timeline: openTimes, lessons },
];

test("a quiz that was taken and not passed is failed, one that was only opened is not", () => {
  expect(stateOf({ ...quiz(40), isVisited: true })).toBe("failed");
  expect(stateOf({ ...quiz(), isVisited: true })).toBe("visited");
  expect(stateOf({ ...waiting(), isVisited: true }), "a person may still pass it").toBe("visited");
  expect(stateOf({ ...quiz(), isVisited: true, isCompleted: true, reason: null })).toBe("completed");
  expect(stateOf(read())).toBe("new");
});

describe("the text of what is missing in a lesson", () => {
  const words = (...pages: Page[]) => plain(remainingInLesson(lesson(...pages), i18n.language, i18n.t));
  test("is null when all pages are completed", () => expect(words(read(true))).toBeNull());
  test.each([
    [[read()], "Осталось прочитать 1 страницу"],
    [[read(), read(), read(true)], "Осталось прочитать 2 страницы"],
    [[quiz()], "Осталось пройти 1 тест"],
    [Array.from({ length: 5 }, () => quiz()), "Осталось пройти 5 тестов"],
    [[assignment(quiz())], "Осталось выполнить 1 задание"],
    [
      [...Array.from({ length: 21 }, () => read()), quiz(), quiz()],
      "Осталось прочитать 21 страницу и пройти 2 теста",
    ],
  ])("case %#", (pages, text) => expect(words(...pages)).toBe(text));
});

describe("the reason why a page is not completed", () => {
  const words = ({ kind, reason }: Page) => plain(reason && incompleteReason(kind, reason, i18n.t));
  test.each([
    [read(), "Не прочитана до конца"],
    [{ ...read(), reason: { ...notVisited, kind: "LOCKED" as const } }, "Ещё не открыта"],
    [quiz(), "Тест ещё не пройден"],
    [quiz(null, 3), "Тест ещё не пройден, осталось 3 попытки"],
    [quiz(40), "Тест не пройден, лучший результат — 40 %"],
    [quiz(0, 1), "Тест не пройден, лучший результат — 0 %, осталась 1 попытка"],
    [quiz(69, 0), "Тест не пройден, лучший результат — 69 %, попыток больше нет"],
    [waiting(), "Ответы ждут проверки"],
    [assignment(quiz(null, 2)), "Работа ещё не сдана, осталось 2 попытки"],
    [assignment(quiz(40)), "Задание пока не зачтено, лучший результат — 40 %"],
    [assignment(waiting()), "Работа на проверке"],
    [returned(), "Возвращено на доработку, осталась 1 попытка"],
  ])("case %#", (page, text) => expect(words(page)).toBe(text));

  test("is translated into English", async () => {
    await setLanguage("en");
    expect(words(quiz(40, 1))).toBe("Quiz not passed, best result 40%, 1 attempt left");
    await setLanguage("ru");
  });
});

describe("the next page", () => {
  const resumed = (nextId: string | undefined, ...pages: Page[]) =>
    resumeAt(remainingPages(course(lesson(...pages))), nextId);
  test("is the one where the learner continues, and earlier pages were skipped", () => {
    const [preface, first, second] = [read(), read(), read()];
    const { next, skipped } = resumed(second.id, preface, read(true), first, second, read());
    expect(next).toBe(second);
    expect(skipped.map(({ page }) => page)).toEqual([preface, first]);
  });
  test("is the first page before anything was visited", () => {
    const page = read();
    expect(resumed(page.id, page, read())).toEqual({ next: page, skipped: [] });
  });
  test("is never a quiz without attempts left, which was not skipped either", () => {
    const page = read();
    expect(resumed(page.id, quiz(10, 0), page)).toEqual({ next: page, skipped: [] });
    expect(resumed(undefined, waiting(), page).next, "nor one that waits for a grader").toBe(page);
    for (const open of [quiz(10, 1), returned()]) expect(resumed(open.id, open, page).next).toBe(open);
  });
  test("is never a locked page, which was not skipped either", () => {
    const page = read();
    const reason = { ...notVisited, kind: "LOCKED" as const };
    const locked = { ...read(), reason, timeline: { ...openTimes, state: "LOCKED" as const } };
    expect(resumed(undefined, locked, page)).toEqual({ next: page, skipped: [] });
    expect(stateOf(locked)).toBe("locked");
  });
  test("is never a closed quiz, but may be a closed page, which can be read", () => {
    const timeline = { ...openTimes, state: "CLOSED" as const };
    const [closed, readable] = [
      { ...quiz(), timeline },
      { ...read(), timeline },
    ];
    expect(resumed(closed.id, closed, readable)).toEqual({ next: readable, skipped: [] });
    expect(resumed(closed.id, closed).next).toBeUndefined();
  });
  test("is undefined when no page can be completed any more", () => {
    expect(resumed(undefined, read(true)).next).toBeUndefined();
    const stuck = quiz(10, 0);
    expect(resumed(stuck.id, read(true), stuck).next).toBeUndefined();
  });
});
