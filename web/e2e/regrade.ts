import { post } from "../../scripts/client.mjs";
import type { Server } from "../../scripts/server.mjs";
import { type Account, enroll, signUp } from "./api.ts";
import { type Classroom, createClassroom, ids } from "./classroom.ts";

const RIGHT = "0198f000-0000-7000-8000-000000010001";
const single = {
  id: ids.single,
  type: "single_choice",
  points: 6,
  prompt: "Какое слово делает переменную изменяемой?",
  options: [
    { id: RIGHT, content: "mut", correct: true },
    { id: "0198f000-0000-7000-8000-000000010002", content: "var" },
  ],
};
const cargo = (...accepted: string[]) => ({
  id: ids.text,
  type: "short_text",
  points: 2,
  prompt: "Как называется система сборки Rust?",
  accepted,
});
const bits = { id: ids.numeric, type: "numeric", points: 2, prompt: "Сколько бит в u16?", value: 16 };
const quizOf = (...questions: object[]) => ({ pass_percent: 70, reveal: "after_submit", questions });

/** Six points of ten: the short answer is in Russian, and the number is wrong. */
export async function takeQuiz({ server, quizId }: Classroom, learner: Account): Promise<void> {
  const answers = [
    { question_id: ids.single, option_ids: [RIGHT] },
    { question_id: ids.text, text: "карго" },
    { question_id: ids.numeric, number: "8" },
  ];
  await post(server.url, `/api/v1/courses/submit_quiz/${quizId}`, { answers }, learner.token);
}

/** Creates a class of one learner and `more`, who have all taken the quiz. */
export async function createTakenQuiz(server: Server, more = 0): Promise<Classroom> {
  const classroom = await createClassroom(server, takenQuiz);
  await takeQuiz(classroom, classroom.learner);
  for (let at = 1; at <= more; at += 1) {
    const learner = await signUp(server, `Ученик ${String(at).padStart(2, "0")}`);
    await enroll(server, learner, classroom.shareCode);
    await takeQuiz(classroom, learner);
  }
  return classroom;
}

/** The quiz that the class takes. */
export const takenQuiz = quizOf(single, cargo("Cargo"), bits);
/** The Russian answer is accepted, too. */
export const accepting = { quiz: quizOf(single, cargo("Cargo", "карго"), bits) };
/** The number is no longer asked. */
export const shorter = { quiz: quizOf(single, cargo("Cargo")) };
/** Then the wrong number is right, too. */
export const easier = { quiz: quizOf(single, cargo("Cargo", "карго"), { ...bits, value: 8 }) };
