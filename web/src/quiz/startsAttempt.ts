import type { Quiz, QuizPageState } from "./model";

/** Whether questions are drawn for each attempt: then the page has fewer than an attempt, until one runs. */
export function drawsQuestions(quiz: Quiz | null): boolean {
  return quiz !== null && quiz.questions.length < quiz.questionCount;
}

/** Whether learners check each question during an attempt. */
export function checksEach(quiz: Quiz | null): boolean {
  return quiz?.checking === "EACH_QUESTION";
}

/** Whether a learner starts an attempt before its questions are shown: with a time limit, when they are drawn, and when each is checked. */
export function startsAttempt(quiz: Quiz | null): boolean {
  return quiz !== null && (quiz.timeLimitSeconds !== null || drawsQuestions(quiz) || checksEach(quiz));
}

/** Whether a learner can be told that questions are drawn: before the first attempt, those of a quiz with a time limit are hidden anyway. */
export function tellsOfDraws({ quiz, attempts }: QuizPageState): boolean {
  return drawsQuestions(quiz) && (quiz?.timeLimitSeconds === null || attempts.length > 0);
}

/** The key of the text that explains checking. */
export function checkRule(quiz: Quiz | null) {
  return quiz?.reveal === "NEVER" ? "quiz.checked.rules.checkHidden" : "quiz.checked.rules.check";
}
