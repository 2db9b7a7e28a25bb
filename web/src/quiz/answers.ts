import { isFilledDocument } from "../content/filled";
import { isNode } from "../content/model";
import { TEXT_ANSWER_TEXT_MAX, TYPED_BLANK_TEXT_MAX } from "../limits.generated";
import { fittedFiles } from "./files";
import { isPoint } from "./hotspot/zones";
import type { Answer, Answers, Filling, GivenAnswer, Part, Question, QuestionOf, RightAnswer } from "./model";
import type { SubmitQuizMutationVariables } from "./QuizState.generated";

export type AnswerInput = Extract<
  SubmitQuizMutationVariables["input"]["answers"],
  readonly unknown[]
>[number];

/** Whether the question has an answer. An untouched order is none. */
export function isAnswered(question: Question, answer: Answer | undefined): boolean {
  if (!answer) return false;
  switch (question.__typename) {
    case "SingleChoiceQuestion":
    case "MultipleChoiceQuestion":
      return (answer.optionIds?.length ?? 0) > 0;
    case "ShortTextQuestion":
      return (answer.text ?? "").trim() !== "";
    case "NumericQuestion":
      return (answer.number ?? "").trim() !== "" && !lacksUnit(question, answer);
    case "MatchingQuestion":
      return question.left.every(({ id }) => answer.pairs?.[id] !== undefined);
    case "OrderingQuestion":
      return answer.order !== undefined;
    case "FillBlankQuestion":
      return question.blanks.every(({ id }) => isFilled(answer.blanks?.[id]));
    case "HotspotQuestion":
      return (answer.places?.length ?? 0) >= question.maxPlaces;
    case "EssayQuestion":
      return isFilledDocument(answer.content);
    case "FileUploadQuestion":
      return (answer.files?.length ?? 0) > 0;
    case "HandInQuestion":
      return givenTo(question, answer) !== null;
  }
}

/** The unit of a number: the chosen one, or the only one. */
export function unitOf(
  { units }: QuestionOf<"NumericQuestion">,
  answer: Answer | undefined,
): string | undefined {
  return units.length === 1 ? units[0] : units.find((unit) => unit === answer?.unit);
}

/** Whether only the unit of a number is missing. */
export function lacksUnit(question: Question, answer: Answer | undefined): boolean {
  if (question.__typename !== "NumericQuestion" || !answer?.number?.trim()) return false;
  return question.units.length > 0 && unitOf(question, answer) === undefined;
}

function isFilled(filling: Filling | undefined): boolean {
  if (!filling) return false;
  return "optionId" in filling || filling.text.trim() !== "";
}

/** Whether the text is a number by the server's rules: a comma or a point, spaces, a hyphen or minus sign, an exponent. */
export function isNumber(text: string): boolean {
  const match = /^[-−+]?(\d*)(?:[.,](\d*))?(?:[eE]([-+]?\d{1,3}))?$/.exec(text.replace(/\s/g, ""));
  return match !== null && `${match[1]}${match[2] ?? ""}` !== "" && Math.abs(Number(match[3] ?? 0)) <= 400;
}

/** Whether the question has a part of an answer and not all of it: some pairs, blanks or places. */
export function isPartlyAnswered(question: Question, answer: Answer | undefined): boolean {
  return !isAnswered(question, answer) && givenTo(question, answer) !== null;
}

/** The answers in the form in which they are submitted. */
export function toInput(questions: readonly Question[], answers: Answers): AnswerInput[] {
  return questions.flatMap((question) => {
    const given = givenTo(question, answers[question.id]);
    return given ? [{ questionId: question.id, ...given }] : [];
  });
}

function givenTo(question: Question, answer: Answer | undefined): Omit<AnswerInput, "questionId"> | null {
  switch (question.__typename) {
    case "SingleChoiceQuestion":
    case "MultipleChoiceQuestion":
      return answer?.optionIds?.length ? { optionIds: answer.optionIds } : null;
    case "ShortTextQuestion":
      return answer?.text?.trim() ? { text: answer.text } : null;
    case "NumericQuestion":
      return answer?.number?.trim() ? { number: answer.number, unit: unitOf(question, answer) } : null;
    case "MatchingQuestion": {
      const pairs = Object.entries(answer?.pairs ?? {});
      return pairs.length > 0 ? { pairs: pairs.map(([leftId, rightId]) => ({ leftId, rightId })) } : null;
    }
    case "OrderingQuestion":
      return answer?.order ? { order: answer.order } : null;
    case "FillBlankQuestion": {
      const blanks = Object.entries(answer?.blanks ?? {}).filter(([, filling]) => isFilled(filling));
      return blanks.length > 0
        ? { blanks: blanks.map(([blankId, filling]) => ({ blankId, ...filling })) }
        : null;
    }
    case "HotspotQuestion":
      return answer?.places?.length ? { places: answer.places } : null;
    case "EssayQuestion":
      return isFilledDocument(answer?.content) ? { content: answer?.content } : null;
    case "FileUploadQuestion":
      return answer?.files?.length ? { fileIds: answer.files.map(({ id }) => id) } : null;
    case "HandInQuestion": {
      const links = (answer?.links ?? []).map((link) => link.trim()).filter((link) => link !== "");
      const given = {
        ...(isFilledDocument(answer?.content) && { content: answer?.content }),
        ...(answer?.files?.length && { fileIds: answer.files.map(({ id }) => id) }),
        ...(links.length > 0 && { links }),
      };
      return Object.keys(given).length > 0 ? given : null;
    }
  }
}

/** An answer of an attempt or a right answer, in the form that the inputs use. No open question and no hotspot question has a right answer. */
export function fromGiven(given: GivenAnswer | RightAnswer): Answer {
  switch (given.__typename) {
    case "ChoiceAnswer":
      return { optionIds: given.optionIds };
    case "TextAnswer":
      return { text: given.text };
    case "NumberAnswer":
      return { number: given.number, ...(given.unit && { unit: given.unit }) };
    case "MatchingAnswer":
      return { pairs: Object.fromEntries(given.pairs.map(({ leftId, rightId }) => [leftId, rightId])) };
    case "OrderingAnswer":
      return { order: given.order };
    case "BlanksAnswer":
      return {
        blanks: Object.fromEntries(
          given.blanks.map(({ blankId, text, optionId }): [string, Filling] => [
            blankId,
            optionId === null ? { text: text ?? "" } : { optionId },
          ]),
        ),
      };
    case "HotspotAnswer":
      return "places" in given ? { places: given.places.map(({ x, y }) => ({ x, y })) } : {};
    case "EssayAnswer":
      return "content" in given ? { content: given.content } : {};
    case "FilesAnswer":
      return "files" in given ? { files: given.files } : {};
    case "HandInAnswer":
      return "links" in given ? { content: given.document, files: given.files, links: given.links } : {};
  }
}

/**
 * The part of an answer that still fits its question: removed ids are dropped, new items of an order go to its end. Undefined when
 * nothing is left. Answers come from local storage, so their shape is checked too.
 */
export function fitted(question: Question, answer: Answer | undefined): Answer | undefined {
  if (!answer) return undefined;
  switch (question.__typename) {
    case "SingleChoiceQuestion":
    case "MultipleChoiceQuestion": {
      const known = idsOf(question.options);
      const optionIds = strings(answer.optionIds).filter((id) => known.has(id));
      const most = question.__typename === "SingleChoiceQuestion" ? 1 : optionIds.length;
      return optionIds.length > 0 ? { optionIds: optionIds.slice(0, most) } : undefined;
    }
    case "ShortTextQuestion":
      return typeof answer.text === "string"
        ? { text: answer.text.slice(0, TEXT_ANSWER_TEXT_MAX) }
        : undefined;
    case "NumericQuestion": {
      const { number, unit } = answer;
      const kept = {
        ...(typeof number === "string" && { number: number.slice(0, TEXT_ANSWER_TEXT_MAX) }),
        ...(unit !== undefined && question.units.includes(unit) && { unit }),
      };
      return Object.keys(kept).length > 0 ? kept : undefined;
    }
    case "MatchingQuestion": {
      const [left, right] = [idsOf(question.left), idsOf(question.right)];
      const pairs = entries(answer.pairs).filter(
        ([leftId, rightId]) => left.has(leftId) && typeof rightId === "string" && right.has(rightId),
      );
      return pairs.length > 0 ? { pairs: Object.fromEntries(pairs) } : undefined;
    }
    case "OrderingQuestion": {
      if (!Array.isArray(answer.order)) return undefined;
      const known = idsOf(question.items);
      const kept = [...new Set(strings(answer.order))].filter((id) => known.has(id));
      if (kept.length === 0) return undefined;
      return { order: [...kept, ...[...known].filter((id) => !kept.includes(id))] };
    }
    case "FillBlankQuestion": {
      const kept = question.blanks.flatMap(({ id, options }): [string, Filling][] => {
        const filling = entries(answer.blanks).find(([blankId]) => blankId === id)?.[1];
        if (typeof filling !== "object" || filling === null) return [];
        if (options) {
          return "optionId" in filling && options.some((option) => option.id === filling.optionId)
            ? [[id, { optionId: filling.optionId }]]
            : [];
        }
        return "text" in filling && typeof filling.text === "string"
          ? [[id, { text: filling.text.slice(0, TYPED_BLANK_TEXT_MAX) }]]
          : [];
      });
      return kept.length > 0 ? { blanks: Object.fromEntries(kept) } : undefined;
    }
    case "HotspotQuestion": {
      const places = Array.isArray(answer.places) ? answer.places.filter(isPoint) : [];
      return places.length > 0 ? { places: places.slice(0, question.maxPlaces) } : undefined;
    }
    case "EssayQuestion":
      return isNode(answer.content) && answer.content.type === "doc"
        ? { content: answer.content }
        : undefined;
    case "FileUploadQuestion": {
      const files = fittedFiles(answer.files, question);
      return files.length > 0 ? { files } : undefined;
    }
    case "HandInQuestion": {
      const content = question.takesText && isNode(answer.content) && answer.content.type === "doc";
      const files = fittedFiles(answer.files, question);
      const links = strings(answer.links).slice(0, question.maxLinks);
      const kept = {
        ...(content && { content: answer.content }),
        ...(files.length > 0 && { files }),
        ...(links.length > 0 && { links }),
      };
      return Object.keys(kept).length > 0 ? kept : undefined;
    }
  }
}

function idsOf(parts: readonly Part[]): Set<string> {
  return new Set(parts.map(({ id }) => id));
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}

function entries<T>(value: Record<string, T> | undefined): [string, T][] {
  return typeof value === "object" && value !== null ? Object.entries(value) : [];
}
