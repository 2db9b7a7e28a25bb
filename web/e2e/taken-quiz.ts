import { graphql, post } from "../../scripts/client.mjs";
import type { Server } from "../../scripts/server.mjs";
import { enroll, signUp } from "./api.ts";
import { type Classroom, createClassroom, ids } from "./classroom.ts";

/** What each of twelve learners answers to the single choice, the short text and the number. Those who know more take the wrong option. */
const CLASS = [
  ...Array.from({ length: 4 }, () => ["var", "Cargo", "16"] as const),
  ...Array.from({ length: 3 }, () => ["mut", "Cargo", "8"] as const),
  ...Array.from({ length: 3 }, () => ["mut", "npm", "32"] as const),
  ["mut", "NPM", "16"] as const,
  ["let", "", "8"] as const,
];

/** Creates a class that has taken the quiz. */
export async function createTakenQuiz(server: Server): Promise<Classroom> {
  const classroom = await createClassroom(server);
  const { owner, shareCode, quizId } = classroom;
  const query = "query ($id: ID!) { page(id: $id) { authorQuiz } }";
  const { page } = await graphql(server.url, owner.token, query, { id: quizId });
  const options: { id: string; content: unknown }[] = page.authorQuiz.questions[0].options;
  const optionOf = (word: string) =>
    options.find(({ content }) => JSON.stringify(content).includes(word))?.id;
  for (const [index, [option, text, number]] of CLASS.entries()) {
    const learner = await signUp(server, `Ученик ${index} Иванович`);
    await enroll(server, learner, shareCode);
    const answers = [
      { question_id: ids.single, option_ids: [optionOf(option)] },
      { question_id: ids.text, text },
      { question_id: ids.numeric, number },
    ];
    await post(server.url, `/api/v1/courses/submit_quiz/${quizId}`, { answers }, learner.token);
  }
  return classroom;
}
