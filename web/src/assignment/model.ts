import type { AssignmentPageQuery } from "./Assignment.generated";

/** An assignment page with the learner's versions and draft. */
export type AssignmentPage = AssignmentPageQuery["page"];
export type Version = AssignmentPage["attempts"][number];

type AssignmentQuestion = NonNullable<AssignmentPage["quiz"]>["questions"][number];
export type HandInQuestion = Extract<AssignmentQuestion, { __typename: "HandInQuestion" }>;

/** The only question of an assignment: what is to be handed in. */
export function handInOf({ quiz }: Pick<AssignmentPage, "quiz">): HandInQuestion | null {
  const [question] = quiz?.questions ?? [];
  return question?.__typename === "HandInQuestion" ? question : null;
}
