import { expect, test } from "vitest";
import { type AuthorQuestion, defaultQuiz, documentOf } from "../quiz-builder/model";
import { allEffects, answered, type Choice, quizEffect } from "./choice";

const question = (id: string, points = 1): AuthorQuestion =>
  ({
    id,
    type: "numeric",
    prompt: documentOf("Сколько?"),
    points,
    explanation: null,
    value: "4",
    tolerance: "0",
    units: [],
    hints: [],
  }) as unknown as AuthorQuestion;
const quiz = (...questions: AuthorQuestion[]) => ({ ...defaultQuiz, questions });

test("a quiz has changed when a question or a setting has, not when only the order has", () => {
  const [a, b] = [question("a"), question("b")];
  const none = { isChanged: false, isRemoved: false };
  expect(quizEffect(quiz(a, b), quiz(a, b))).toEqual(none);
  expect(quizEffect(quiz(a, b), quiz(b, a))).toEqual(none);
  expect(quizEffect(null, null)).toEqual(none);
  expect(quizEffect(quiz(a), quiz(question("a", 2)))).toEqual({ isChanged: true, isRemoved: false });
  expect(quizEffect(quiz(a), { ...quiz(a), pass_percent: 90 })).toEqual({
    isChanged: true,
    isRemoved: false,
  });
  expect(quizEffect(quiz(a), quiz(a, b))).toEqual({ isChanged: true, isRemoved: false });
  expect(quizEffect(quiz(a, b), quiz(b))).toEqual({ isChanged: true, isRemoved: true });
});

test("several pages are asked about together", () => {
  const [changed, removed] = [
    { isChanged: true, isRemoved: false },
    { isChanged: true, isRemoved: true },
  ];
  expect(allEffects([])).toEqual({ isChanged: false, isRemoved: false });
  expect(allEffects([changed, removed])).toEqual(removed);
});

test("answers to questions that are not asked are not sent", () => {
  const all: Choice = { importance: "IMPORTANT", pastAttempts: "REGRADE", removedQuestions: "FULL_POINTS" };
  const removed = { isChanged: true, isRemoved: true };
  expect(answered(all, removed, true)).toEqual(all);
  expect(answered(all, { isChanged: true, isRemoved: false }, true).removedQuestions).toBe("EXCLUDE");
  for (const [effect, hasAttempts] of [
    [removed, false],
    [{ isChanged: false, isRemoved: false }, true],
  ] as const)
    expect(answered(all, effect, hasAttempts)).toEqual({
      importance: "IMPORTANT",
      pastAttempts: "KEEP",
      removedQuestions: "EXCLUDE",
    });
});
