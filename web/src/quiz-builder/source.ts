import { type AuthorQuestion, copyOf, takesRubric } from "./model";

/** A question of a bank at one of its versions. */
export interface BankVersion {
  questionId: string;
  version: number;
  question: AuthorQuestion;
}

/** A copy of a question of a bank for a quiz, which knows where it comes from. */
export function takenFrom({ questionId, version, question }: BankVersion): AuthorQuestion {
  return { ...copyOf(question), source: { question_id: questionId, version } };
}

/** The question of a quiz with the contents of a version of its source. Keeps its id, and its points unless a rubric gives them. */
export function updatedFrom(question: AuthorQuestion, newer: BankVersion): AuthorQuestion {
  const taken = takenFrom(newer);
  const points = takesRubric(taken) && taken.rubric ? taken.points : question.points;
  return { ...taken, id: question.id, points };
}

/** Whether two questions ask the same. Their ids, points and sources do not matter. */
export function asksTheSame(one: AuthorQuestion, other: AuthorQuestion): boolean {
  return contents(one) === contents(other);
}

/** Questions are never changed in place, and a builder compares all of them with each key press. */
const known = new WeakMap<AuthorQuestion, string>();

function contents(question: AuthorQuestion): string {
  const before = known.get(question);
  if (before !== undefined) return before;
  const { points: _, source: __, ...asked } = question;
  const blanks = asked.type === "fill_blank" ? asked.blanks : [];
  const places = new Map(blanks.map(({ id }, index) => [id, `blank ${index}`]));
  const text = JSON.stringify(plain(asked, places));
  known.set(question, text);
  return text;
}

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

/** JSON without ids and empty fields or lists, whose fields are in one order. Blanks have their places in place of their ids. */
function plain(value: unknown, blanks: ReadonlyMap<string, string>, isAttribute = false): unknown {
  if (typeof value === "string") return blanks.get(value) ?? value;
  if (Array.isArray(value)) return value.map((one) => plain(one, blanks));
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value)
    // The ids among the attributes of a document name files.
    .filter(
      ([name, one]) =>
        (isAttribute || name !== "id") && one !== null && one !== undefined && !isEmptyList(one),
    )
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return fields.map(([name, one]) => [name, plain(one, blanks, name === "attrs")]);
}
