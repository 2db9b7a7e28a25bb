import { isFilledDocument } from "../content/filled";
import { type CountOf, isDraw, isTooSmall } from "./draws";
import { faultOf, gridOf, isParameterName, parse } from "./formula";
import {
  type AuthorQuestion,
  type AuthorQuiz,
  blanksIn,
  type Choice,
  type FormulaQuestion,
  handInOf,
} from "./model";
import { missingInRubric } from "./rubric";
import { FULL_WEIGHT, isWeighted, weightOf } from "./weights";

/**
 * What a quiz still needs before it can be published. Mirrors the server's rules (core/formats/src/quiz/complete.rs), which decide, so that the
 * author sees problems while typing.
 */
type MissingKind =
  | "questions"
  | "points"
  | "prompt"
  | "content"
  | "rightOption"
  | "onlyRightOption"
  | "weightSign"
  | "weightFull"
  | "accepted"
  | "value"
  | "parameters"
  | "parameterName"
  | "parameterRepeated"
  | "parameterValues"
  | "expression"
  | "expressionUnreadable"
  | "parameterHidden"
  | "pairs"
  | "items"
  | "blanks"
  | "blankDefined"
  | "blankOnce"
  | "blankInText"
  | "blankAnswer"
  | "picture"
  | "zones"
  | "way"
  | "handInPoints"
  | "criteria"
  | "criterionName"
  | "levels"
  | "levelName"
  | "rubricPoints"
  | "bank"
  | "drawCount"
  | "bankTooSmall";

export interface MissingPart {
  /** The question's index; null for the quiz as a whole. */
  question: number | null;
  /** Path inside the question, as in the server's errors: `options[1].content`. */
  at: string;
  lack: MissingKind;
}

const unknown: CountOf = () => null;

/** All that a quiz lacks. Draws from a bank that is too small are found as far as `countOf` knows. */
export function missingParts(quiz: AuthorQuiz, countOf: CountOf = unknown): MissingPart[] {
  const { questions } = quiz;
  const whole = (lack: MissingKind): MissingPart => ({ question: null, at: "", lack });
  if (questions.length === 0) return [whole("questions")];
  const isWorthless = questions.every(({ points }) => points === 0);
  const worthless: MissingPart[] = handInOf(quiz)
    ? [{ question: 0, at: "points", lack: "handInPoints" }]
    : [whole("points")];
  return [
    ...(isWorthless ? worthless : []),
    ...questions.flatMap((question, index) => {
      const isShort = isDraw(question) && isTooSmall(questions, question, countOf);
      const short: Found[] = isShort ? [["count", "bankTooSmall"]] : [];
      return [...missingInQuestion(question), ...short].map(([at, lack]) => ({ question: index, at, lack }));
    }),
  ];
}

type Found = [at: string, lack: MissingKind];

/** What one question lacks, with the path inside it. */
export function missingInQuestion(question: AuthorQuestion): Found[] {
  // The instructions of an assignment are the text of its page.
  const asksElsewhere =
    question.type === "fill_blank" || question.type === "hand_in" || question.type === "draw";
  const prompt: Found[] = !asksElsewhere && !isFilledDocument(question.prompt) ? [["prompt", "prompt"]] : [];
  const way: Found[] =
    question.type === "hand_in" && !question.takes_text && !question.max_files && !question.max_links
      ? [["takes_text", "way"]]
      : [];
  return [...prompt, ...way, ...missingInAnswer(question)];
}

function missingInAnswer(question: AuthorQuestion): Found[] {
  switch (question.type) {
    case "single_choice":
      return [
        ...missingInOptions("options", question.options, "rightOption"),
        ...(question.options.filter(({ correct }) => correct).length > 1
          ? [["options", "onlyRightOption"] as Found]
          : []),
        ...wrongWeights(
          question.options,
          "weightFull",
          (option) => option.correct === (weightOf(option, true) === FULL_WEIGHT),
        ),
      ];
    case "multiple_choice":
      return [
        ...missingInOptions("options", question.options, "rightOption"),
        ...wrongWeights(
          question.options,
          "weightSign",
          (option) => option.correct === weightOf(option, false) > 0,
        ),
      ];
    case "short_text":
      return !question.regex && saysNothing(question.accepted) ? [["accepted", "accepted"]] : [];
    case "essay":
    case "file_upload":
    case "hand_in":
      return question.rubric ? missingInRubric(question.rubric, question.points) : [];
    case "draw":
      return [
        ...(question.bank_id ? [] : [["bank_id", "bank"] as Found]),
        ...(question.count >= 1 ? [] : [["count", "drawCount"] as Found]),
      ];
    case "numeric":
      return question.value === null ? [["value", "value"]] : [];
    case "formula":
      return missingInFormula(question);
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
    case "hotspot":
      return [
        ...(question.picture === null ? [["picture", "picture"] as Found] : []),
        ...(question.zones.length === 0 ? [["zones", "zones"] as Found] : []),
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
              ? missingInOptions(`${at}.options`, blank.options, "blankAnswer")
              : saysNothing(blank.accepted)
                ? [[`${at}.accepted`, "blankAnswer"] as Found]
                : []),
          ];
        }),
      ];
    }
  }
}

/** The server also tries many values, and refuses an expression that has no result for some of them. */
function missingInFormula({ prompt, parameters, expression }: FormulaQuestion): Found[] {
  if (parameters.length === 0) return [["parameters", "parameters"]];
  const names = parameters.map(({ name }) => name);
  const ofParameters = parameters.flatMap((parameter, index): Found[] => {
    const at = `parameters[${index}]`;
    return [
      ...(!isParameterName(parameter.name)
        ? [[`${at}.name`, "parameterName"] as Found]
        : names.indexOf(parameter.name) < index
          ? [[`${at}.name`, "parameterRepeated"] as Found]
          : []),
      ...(gridOf(parameter) ? [] : [[`${at}.min`, "parameterValues"] as Found]),
    ];
  });
  if (expression.trim() === "") return [...ofParameters, ["expression", "expression"]];
  if (faultOf(expression, names)) return [...ofParameters, ["expression", "expressionUnreadable"]];
  const text = JSON.stringify(prompt);
  const isHidden = [...parse(expression, names).used].some((name) => !text.includes(`{${name}}`));
  return [...ofParameters, ...(isHidden ? [["prompt", "parameterHidden"] as Found] : [])];
}

function missingInOptions(at: string, options: readonly Choice[], lack: MissingKind): Found[] {
  return [
    ...(options.some(({ correct }) => correct) ? [] : [[at, lack] as Found]),
    ...options.flatMap(({ content }, index) => filled(`${at}[${index}].content`, content)),
  ];
}

/** The weights that say something else than the marks of right options. */
function wrongWeights(
  options: readonly Choice[],
  lack: MissingKind,
  agrees: (option: Choice) => boolean,
): Found[] {
  if (!isWeighted(options)) return [];
  return options.flatMap((option, index): Found[] =>
    agrees(option) ? [] : [[`options[${index}].weight`, lack]],
  );
}

function filled(at: string, document: unknown): Found[] {
  return isFilledDocument(document) ? [] : [[at, "content"]];
}

function saysNothing(accepted: readonly string[]): boolean {
  return accepted.every((text) => text.trim() === "");
}
