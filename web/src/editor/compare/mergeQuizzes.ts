/** A value that at most one of the texts changed, or one that both did. */
export type Merged<T> = { kind: "settled"; value: T } | { kind: "both"; mine: T; theirs: T };

type Fields = Readonly<Record<string, unknown>>;

/** A question of a quiz as it is stored. */
export type StoredQuestion = Fields & { id: string };

/** A question that needs no choice; null if it was removed. One that both changed, where null stands for its removal. */
type MergedQuestion = { id: string } & Merged<StoredQuestion | null>;

/** Two quizzes merged by question; `whole` where a page has no quiz, and where it is not known how to read it. */
export type MergedQuiz =
  | { kind: "whole"; quiz: Merged<unknown> }
  | {
      kind: "parts";
      /** All fields but the questions. */
      settings: Merged<Fields>;
      questions: MergedQuestion[];
    };

/**
 * Merges two quizzes that were both made of `base`. What one of them changed, added, removed or moved is taken from it; a question or the settings
 * that both changed differently are left to choose. If both moved questions, theirs stand in their order.
 */
export function mergeQuizzes(base: unknown, mine: unknown, theirs: unknown): MergedQuiz {
  const [of, own, other] = [partsOf(base), partsOf(mine), partsOf(theirs)];
  if (!of || !own || !other) return { kind: "whole", quiz: mergeValue(base, mine, theirs) };
  const questions = mergedOrder(
    [...of.questions.keys()],
    [...own.questions.keys()],
    [...other.questions.keys()],
  ).map((id): MergedQuestion => {
    const [original, left, right] = [of, own, other].map(({ questions }) => questions.get(id) ?? null);
    return { id, ...mergeValue<StoredQuestion | null>(original ?? null, left ?? null, right ?? null) };
  });
  return { kind: "parts", settings: mergeFields(of.settings, own.settings, other.settings), questions };
}

/** How many choices are left. */
export function quizChoices(merged: MergedQuiz): number {
  const values = merged.kind === "whole" ? [merged.quiz] : [merged.settings, ...merged.questions];
  return values.filter(({ kind }) => kind === "both").length;
}

/** The quiz that the choices make: `takesTheirs` is asked for "quiz", "settings" and the id of each question that both changed. */
export function resolvedQuiz(merged: MergedQuiz, takesTheirs: (at: string) => boolean): unknown {
  const pick = <T>(value: Merged<T>, at: string): T => {
    if (value.kind === "settled") return value.value;
    return takesTheirs(at) ? value.theirs : value.mine;
  };
  if (merged.kind === "whole") return pick(merged.quiz, "quiz");
  const questions = merged.questions.map((question) => pick(question, question.id));
  return {
    ...pick(merged.settings, "settings"),
    questions: questions.filter((question) => question !== null),
  };
}

export function mergeValue<T>(base: T, mine: T, theirs: T): Merged<T> {
  const [of, own, other] = [base, mine, theirs].map(textOf);
  if (own === of || own === other) return { kind: "settled", value: theirs };
  if (other === of) return { kind: "settled", value: mine };
  return { kind: "both", mine, theirs };
}

/** Each setting that only one of the quizzes changed is taken from it, on both sides of a choice too. */
function mergeFields(base: Fields, mine: Fields, theirs: Fields): Merged<Fields> {
  const names = new Set([...Object.keys(theirs), ...Object.keys(mine)]);
  const [left, right]: [Record<string, unknown>, Record<string, unknown>] = [{}, {}];
  for (const name of names) {
    const value = mergeValue(base[name], mine[name], theirs[name]);
    left[name] = value.kind === "settled" ? value.value : value.mine;
    right[name] = value.kind === "settled" ? value.value : value.theirs;
  }
  return textOf(left) === textOf(right)
    ? { kind: "settled", value: right }
    : { kind: "both", mine: left, theirs: right };
}

/** All ids. Those of `theirs` stand in their order unless only mine was changed; each other one follows the one that it follows in its own list. */
function mergedOrder(base: string[], mine: string[], theirs: string[]): string[] {
  const isMoved = (list: string[]) => {
    const common = (of: string[], other: string[]) => of.filter((id) => other.includes(id)).join(" ");
    return common(list, base) !== common(base, list);
  };
  const [first, second] = isMoved(mine) && !isMoved(theirs) ? [mine, theirs] : [theirs, mine];
  const order = [...first];
  for (const list of [second, base])
    for (const [at, id] of list.entries())
      if (!order.includes(id)) order.splice(order.indexOf(list[at - 1] ?? "") + 1, 0, id);
  return order;
}

/** The settings and questions of a stored quiz; null for what is none, and for questions without ids of their own. */
function partsOf(quiz: unknown): { settings: Fields; questions: Map<string, StoredQuestion> } | null {
  if (typeof quiz !== "object" || quiz === null) return null;
  const { questions: list = [], ...settings } = quiz as Fields;
  if (!Array.isArray(list)) return null;
  const questions = new Map<string, StoredQuestion>();
  for (const question of list) if (typeof question?.id === "string") questions.set(question.id, question);
  return questions.size === list.length ? { settings, questions } : null;
}

/** Equal for values that differ only in the order of fields and in fields without a value. */
export const textOf = (value: unknown): string =>
  JSON.stringify(value ?? null, (_, part) =>
    typeof part === "object" && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
