import { isFilledDocument } from "./filled";
import { type AuthorQuestion, type AuthorQuiz, blanksIn, type Choice } from "./model";

/**
 * What a quiz lacks to be published: the server's rules (core/src/quiz/complete.rs), told while it is written. The server
 * decides; these are there so that nobody has to ask it.
 */
export type Lack =
  | "questions"
  | "points"
  | "prompt"
  | "content"
  | "rightOption"
  | "onlyRightOption"
  | "accepted"
  | "value"
  | "pairs"
  | "items"
  | "blanks"
  | "blankDefined"
  | "blankOnce"
  | "blankInText"
  | "blankAnswer";

export interface Lacking {
  /** The question's place from 0; null for the quiz as a whole. */
  question: number | null;
  /** The way inside the question, as the server names it: `options[1].content`. */
  at: string;
  lack: Lack;
}

export function lacksOf(quiz: AuthorQuiz): Lacking[] {
  const { questions } = quiz;
  const whole = (lack: Lack): Lacking => ({ question: null, at: "", lack });
  if (questions.length === 0) return [whole("questions")];
  return [
    ...(questions.every(({ points }) => points === 0) ? [whole("points")] : []),
    ...questions.flatMap((question, index) =>
      lacksOfQuestion(question).map(([at, lack]) => ({ question: index, at, lack })),
    ),
  ];
}

type Found = [at: string, lack: Lack];

function lacksOfQuestion(question: AuthorQuestion): Found[] {
  const prompt: Found[] =
    question.type !== "fill_blank" && !isFilledDocument(question.prompt) ? [["prompt", "prompt"]] : [];
  return [...prompt, ...lacksOfAnswer(question)];
}

function lacksOfAnswer(question: AuthorQuestion): Found[] {
  switch (question.type) {
    case "single_choice":
      return [
        ...lacksOfOptions("options", question.options, "rightOption"),
        ...(question.options.filter(({ correct }) => correct).length > 1
          ? [["options", "onlyRightOption"] as Found]
          : []),
      ];
    case "multiple_choice":
      return lacksOfOptions("options", question.options, "rightOption");
    case "short_text":
      return !question.regex && saysNothing(question.accepted) ? [["accepted", "accepted"]] : [];
    case "numeric":
      return question.value === null ? [["value", "value"]] : [];
    case "matching":
      return [
        ...(question.pairs.length < 2 ? [["pairs", "pairs"] as Found] : []),
        ...question.pairs.flatMap(({ left, right }, index) => [
          ...filled(`pairs[${index}].left`, left),
          ...filled(`pairs[${index}].right`, right),
        ]),
      ];
    case "ordering":
      return [
        ...(question.items.length < 2 ? [["items", "items"] as Found] : []),
        ...question.items.flatMap(({ content }, index) => filled(`items[${index}].content`, content)),
      ];
    case "fill_blank": {
      const inText = blanksIn(question.text);
      const defined = new Set(question.blanks.map(({ id }) => id));
      return [
        ...(inText.length === 0
          ? [["text", "blanks"] as Found]
          : new Set(inText).size < inText.length
            ? [["text", "blankOnce"] as Found]
            : []),
        ...(inText.some((id) => !defined.has(id)) ? [["text", "blankDefined"] as Found] : []),
        ...question.blanks.flatMap((blank, index): Found[] => {
          const at = `blanks[${index}]`;
          return [
            ...(inText.includes(blank.id) ? [] : [[at, "blankInText"] as Found]),
            ...("options" in blank
              ? lacksOfOptions(`${at}.options`, blank.options, "blankAnswer")
              : saysNothing(blank.accepted)
                ? [[`${at}.accepted`, "blankAnswer"] as Found]
                : []),
          ];
        }),
      ];
    }
  }
}

function lacksOfOptions(at: string, options: readonly Choice[], lack: Lack): Found[] {
  return [
    ...(options.some(({ correct }) => correct) ? [] : [[at, lack] as Found]),
    ...options.flatMap(({ content }, index) => filled(`${at}[${index}].content`, content)),
  ];
}

function filled(at: string, document: unknown): Found[] {
  return isFilledDocument(document) ? [] : [[at, "content"]];
}

function saysNothing(accepted: readonly string[]): boolean {
  return accepted.every((text) => text.trim() === "");
}
