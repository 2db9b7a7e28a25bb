import type { ContentNode } from "../../content/model";
import { type AuthorQuestion, readQuiz } from "../../quiz-builder/model";
import { keyOf } from "./diffBlocks";
import { type Field, type FieldName, fieldsOf, settingsOf, type Value } from "./quizFields";
import { commonPairs } from "./sequence";

/** A field of two quizzes that is not the same; null where it is not set. */
export interface FieldChange {
  key: string;
  name: FieldName;
  /** The number of the part after, or before if it was removed. */
  number?: number | undefined;
  before: Value | null;
  after: Value | null;
}

export interface QuestionChange {
  id: string;
  kind: "same" | "added" | "removed" | "changed";
  /** Whether the question stands at another place among those that both quizzes have. */
  isMoved: boolean;
  /** Numbers from 1; null where the question does not exist. */
  before: number | null;
  after: number | null;
  /** The question after, or before if it was removed. */
  question: AuthorQuestion;
  /** The fields that differ; those that are set of an added or a removed question. */
  fields: FieldChange[];
}

export interface QuizChanges {
  settings: FieldChange[];
  /** The questions after, with the removed ones at their place before. */
  questions: QuestionChange[];
}

/** What has changed from one quiz to another, question by question and field by field. */
export function diffQuiz(before: unknown, after: unknown): QuizChanges {
  const [was, now] = [readQuiz(before), readQuiz(after)];
  const [idsBefore, idsAfter] = [was.questions.map(({ id }) => id), now.questions.map(({ id }) => id)];
  const placeBefore = new Map(idsBefore.map((id, at) => [id, at]));
  const placeAfter = new Map(idsAfter.map((id, at) => [id, at]));
  const inPlace = new Set(commonPairs(idsBefore, idsAfter).map(([at]) => idsBefore[at]));
  const questions: QuestionChange[] = [];
  const addRemoved = (from: number) => {
    for (let at = from; at < was.questions.length; at += 1) {
      const question = was.questions[at];
      if (!question || placeAfter.has(question.id)) return;
      const fields = changedFields(fieldsOf(question), []);
      questions.push({
        id: question.id,
        kind: "removed",
        isMoved: false,
        before: at + 1,
        after: null,
        question,
        fields,
      });
    }
  };
  addRemoved(0);
  for (const [at, question] of now.questions.entries()) {
    const place = placeBefore.get(question.id);
    const old = place === undefined ? undefined : was.questions[place];
    const fields = changedFields(old ? fieldsOf(old) : [], fieldsOf(question));
    questions.push({
      id: question.id,
      kind: !old ? "added" : fields.length > 0 ? "changed" : "same",
      isMoved: old !== undefined && !inPlace.has(question.id),
      before: place === undefined ? null : place + 1,
      after: at + 1,
      question,
      fields,
    });
    if (place !== undefined) addRemoved(place + 1);
  }
  const hasQuiz = (quiz: unknown) => quiz !== null && quiz !== undefined;
  const settings = hasQuiz(before) && hasQuiz(after) ? changedFields(settingsOf(was), settingsOf(now)) : [];
  return { settings, questions };
}

/** The fields that differ, in the order after, with the removed ones behind. */
function changedFields(before: readonly Field[], after: readonly Field[]): FieldChange[] {
  const was = new Map(before.map((field) => [field.key, field]));
  const now = new Set(after.map(({ key }) => key));
  const changes: FieldChange[] = [];
  for (const { key, name, number, value } of after) {
    const old = was.get(key)?.value ?? null;
    if (!isSameValue(old, value)) changes.push({ key, name, number, before: old, after: value });
  }
  for (const { key, name, number, value } of before)
    if (!now.has(key) && !isSameValue(value, null))
      changes.push({ key, name, number, before: value, after: null });
  return changes;
}

function isSameValue(before: Value | null, after: Value | null): boolean {
  // An unset flag of a new part, and the order of parts that only one side has, are not shown as changes.
  const known = before ?? after;
  if (!before || !after) return known === null || "order" in known || ("flag" in known && !known.flag);
  if ("document" in before && "document" in after)
    return keyOf(before.document as ContentNode) === keyOf(after.document as ContentNode);
  if ("order" in before && "order" in after) {
    const [a, b] = [before.order, after.order].map((parts) => parts.map(({ id }) => id)) as [
      string[],
      string[],
    ];
    const common = (ids: string[], others: string[]) => ids.filter((id) => others.includes(id)).join(" ");
    return common(a, b) === common(b, a);
  }
  return JSON.stringify(before) === JSON.stringify(after);
}
