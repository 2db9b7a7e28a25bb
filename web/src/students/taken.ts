import type { Attempt, GivenAnswer, Question, Result } from "../quiz/model";

/**
 * An attempt as its staff gets it holds the quiz in the author's form, and answers and results as they are stored. Here they
 * become what a learner's own results are made of, so that both are shown by the same components. What does not fit is left
 * out: an attempt may be years old.
 */
export interface Taken {
  questions: Question[];
  attempt: Attempt;
}

interface Stored {
  id: string;
  attemptNo: number;
  percent: number;
  passed: boolean;
  submittedAt: string;
  score: number;
  maxScore: number;
  quiz: unknown;
  answers: unknown;
  results: unknown;
}

type Json = Readonly<Record<string, unknown>>;

export function takenOf({ quiz, answers, results, ...attempt }: Stored): Taken {
  return {
    questions: objects(field(quiz, "questions")).flatMap((question) => questionOf(question) ?? []),
    attempt: {
      __typename: "Attempt",
      ...attempt,
      answers: objects(answers).map(answerOf),
      results: objects(results).map(resultOf),
    } as Attempt,
  };
}

function questionOf(json: Json): Question | null {
  const { id, prompt, points } = json;
  const own = (kind: string, rest: object) =>
    ({ __typename: kind, id, prompt, points: points ?? 1, ...rest }) as unknown as Question;
  switch (json.type) {
    case "single_choice":
      return own("SingleChoiceQuestion", { options: parts(json.options) });
    case "multiple_choice":
      return own("MultipleChoiceQuestion", { options: parts(json.options) });
    case "short_text":
      return own("ShortTextQuestion", {});
    case "numeric":
      return own("NumericQuestion", {});
    case "matching": {
      const pairs = objects(json.pairs);
      return own("MatchingQuestion", {
        left: pairs.map(({ id, left }) => ({ __typename: "QuizPart", id, content: left })),
        right: pairs.map(({ id, right }) => ({ __typename: "QuizPart", id, content: right })),
      });
    }
    case "ordering":
      return own("OrderingQuestion", { items: parts(json.items) });
    case "fill_blank":
      return own("FillBlankQuestion", {
        text: json.text,
        blanks: objects(json.blanks).map(({ id, options }) => ({
          __typename: "QuizBlank",
          id,
          options: Array.isArray(options) ? parts(options) : null,
        })),
      });
    default:
      return null;
  }
}

function parts(json: unknown) {
  return objects(json).map(({ id, content }) => ({ __typename: "QuizPart", id, content }));
}

function answerOf(json: Json): GivenAnswer {
  const pairs = json.pairs == null ? null : objects(json.pairs);
  const blanks = json.blanks == null ? null : objects(json.blanks);
  return {
    __typename: "QuizAnswer",
    questionId: json.question_id,
    optionIds: json.option_ids ?? null,
    text: json.text ?? null,
    number: json.number == null ? null : String(json.number),
    pairs: pairs?.map(({ left_id, right_id }) => ({ leftId: left_id, rightId: right_id })) ?? null,
    order: json.order ?? null,
    blanks:
      blanks?.map(({ blank_id, text, option_id }) => ({
        blankId: blank_id,
        text: text ?? null,
        optionId: option_id ?? null,
      })) ?? null,
  } as unknown as GivenAnswer;
}

function resultOf(json: Json): Result {
  const right = json.correct_answer;
  return {
    questionId: json.question_id,
    points: json.points ?? null,
    maxPoints: json.max_points ?? 0,
    correct: json.correct ?? null,
    explanation: json.explanation ?? null,
    correctAnswer: isObject(right) ? answerOf(right) : null,
  } as unknown as Result;
}

function field(json: unknown, name: string): unknown {
  return isObject(json) ? json[name] : undefined;
}

function objects(json: unknown): Json[] {
  return Array.isArray(json) ? json.filter(isObject) : [];
}

function isObject(json: unknown): json is Json {
  return typeof json === "object" && json !== null && !Array.isArray(json);
}
