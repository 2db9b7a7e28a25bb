import type { ContentNode } from "../content/model";
import { QUESTIONS_MAX } from "../limits.generated";
import type { Zone } from "../quiz/hotspot/zones";
import { newId } from "../ui/newId";
import { type AuthorRubric, copyOfRubric } from "./rubric";
import { withScoring } from "./weights";

/** A quiz in its author's form, with the names of docs/quizzes.md: what the server stores and returns. */
export interface AuthorQuiz {
  pass_percent: number;
  /** Null for no limit. */
  max_attempts: number | null;
  shuffle_questions: boolean;
  shuffle_options: boolean;
  reveal: Reveal;
  /** When learners see the points for open questions: as soon as each is graded, or all at once. */
  release: Release;
  /** When answers are checked: all at the end, or each during the attempt, which fixes it. */
  checking: Checking;
  /** Seconds for an attempt; null for no limit. */
  time_limit_seconds: number | null;
  /** Seconds after the end of the time in which the server accepts answers that were given in time. */
  grace_seconds: number;
  questions: AuthorQuestion[];
}

export const REVEALS = ["after_submit", "after_pass", "never"] as const;
type Reveal = (typeof REVEALS)[number];

export const RELEASES = ["at_once", "together"] as const;
type Release = (typeof RELEASES)[number];

export const CHECKINGS = ["at_end", "each_question"] as const;
type Checking = (typeof CHECKINGS)[number];

export interface Choice {
  id: string;
  content: unknown;
  correct: boolean;
  /** A document for those who choose the option; missing without one, and always in the options of a blank. */
  feedback?: unknown;
  /** What choosing the option is worth, in percent; null or missing unless the question has weights. */
  weight?: number | null;
}
export interface Pair {
  id: string;
  left: unknown;
  right: unknown;
}
export interface Item {
  id: string;
  content: unknown;
}
export type Blank = { id: string } & ({ accepted: string[] } | { options: Choice[] });

/** The question of a bank that a question was copied from, and its version then. */
export interface Source {
  question_id: string;
  version: number;
}

interface Common {
  id: string;
  prompt: unknown;
  points: number;
  explanation: unknown;
  /** Documents that learners may open one by one while they answer; missing without any. */
  hints?: unknown[];
  /** Null or missing unless the question was copied from a bank. */
  source?: Source | null;
}
export type ChoiceQuestion = Common & {
  type: "single_choice" | "multiple_choice";
  options: Choice[];
  /** Whether only a whole right answer counts: of a multiple choice without weights. */
  all_or_nothing?: boolean;
};
export type TextQuestion = Common & {
  type: "short_text";
  accepted: string[];
  case_sensitive: boolean;
  regex: string | null;
};
export type NumericQuestion = Common & {
  type: "numeric";
  value: number | null;
  tolerance: number;
  tolerance_percent: number | null;
  /** Missing without any. */
  units?: Unit[];
};
/** A unit in which a number may be given. */
export interface Unit {
  name: string;
  /** How many first units make one of this; 1 for the first, which is that of the right value. */
  factor: number;
}
/** A parameter of a formula question. Its values are the multiples of 10 to the minus `decimals` from `min` to `max`. */
export interface Parameter {
  name: string;
  /** Null while it is not set. */
  min: number | null;
  max: number | null;
  decimals: number;
}
export type FormulaQuestion = Common & {
  type: "formula";
  parameters: Parameter[];
  expression: string;
  tolerance: number;
  tolerance_percent: number | null;
  units?: Unit[];
};
type MatchingQuestion = Common & { type: "matching"; pairs: Pair[] };
type OrderingQuestion = Common & { type: "ordering"; items: Item[] };
export type BlanksQuestion = Common & { type: "fill_blank"; text: unknown; blanks: Blank[] };
/** Places on a picture are marked. */
export type HotspotQuestion = Common & {
  type: "hotspot";
  /** A document with one image; null while there is none. */
  picture: unknown;
  zones: Zone[];
  /** Whether each zone has to be marked; otherwise one place in any zone is right. */
  mark_all: boolean;
  /** Whether only a whole right answer counts; where each zone has to be marked. */
  all_or_nothing: boolean;
};
export type EssayQuestion = Common & {
  type: "essay";
  /** Null for no bound. */
  min_words: number | null;
  max_words: number | null;
  /** A note for graders, which learners never see; null without one. */
  guide: unknown;
  /** The criteria of graders; null or missing without. The points of the question are then the sum of the best levels. */
  rubric?: AuthorRubric | null;
};
export type FileUploadQuestion = Common & {
  type: "file_upload";
  /** The most files of an answer. */
  max_files: number;
  /** The accepted ends of file names, in lower case and without the dot; all files if empty. */
  extensions: string[];
  /** As those of an essay. */
  guide: unknown;
  rubric?: AuthorRubric | null;
};
/** The only question of an assignment. */
export type HandInQuestion = Common & {
  type: "hand_in";
  takes_text: boolean;
  /** As those of an essay. */
  min_words: number | null;
  max_words: number | null;
  /** The most files; 0 if none are taken. */
  max_files: number;
  /** As those of a file upload. */
  extensions: string[];
  /** The most links; 0 if none are taken. */
  max_links: number;
  guide: unknown;
  rubric?: AuthorRubric | null;
};
/** An entry that draws questions from a bank for each attempt. It has no prompt and no explanation. */
export type DrawQuestion = Common & {
  type: "draw";
  bank_id: string;
  /** A drawn question has all of these tags. */
  tags: string[];
  /** How many questions an attempt draws; each brings `points`. */
  count: number;
};
/** A question that a person grades. */
export type RubricQuestion = EssayQuestion | FileUploadQuestion | HandInQuestion;
export type AuthorQuestion =
  | ChoiceQuestion
  | TextQuestion
  | NumericQuestion
  | FormulaQuestion
  | MatchingQuestion
  | OrderingQuestion
  | BlanksQuestion
  | HotspotQuestion
  | EssayQuestion
  | FileUploadQuestion
  | HandInQuestion
  | DrawQuestion;

/** The questions of quizzes. */
export const KINDS = [
  "single_choice",
  "multiple_choice",
  "short_text",
  "numeric",
  "formula",
  "matching",
  "ordering",
  "fill_blank",
  "hotspot",
  "essay",
  "file_upload",
] as const;
export type Kind = (typeof KINDS)[number];

/** The server's limits (docs/quizzes.md). */
export const MAX_DRAWN = 100;
export const MAX_ACCEPTED = 1000;
/** Largest absolute value of a bound of a parameter. */
export const MAX_PARAMETER = 1_000_000_000;
export const MAX_GRACE_SECONDS = 3600;
/** The server also takes seconds, and the form asks for a minute at least. */
export const MAX_LIMIT_MINUTES = 24 * 60;

export const emptyDocument = (): ContentNode => ({ type: "doc", content: [{ type: "paragraph" }] });

export const defaultQuiz: AuthorQuiz = {
  pass_percent: 70,
  max_attempts: null,
  shuffle_questions: false,
  shuffle_options: false,
  reveal: "after_pass",
  release: "at_once",
  checking: "at_end",
  time_limit_seconds: null,
  grace_seconds: 60,
  questions: [],
};

/** Parses the server's quiz; null stands for the empty quiz of a new page. */
export function readQuiz(quiz: unknown): AuthorQuiz {
  return typeof quiz === "object" && quiz !== null
    ? { ...defaultQuiz, ...(quiz as Partial<AuthorQuiz>) }
    : defaultQuiz;
}

/** How many questions an attempt has, with those that are drawn. */
export function questionCount(questions: readonly AuthorQuestion[]): number {
  return questions.reduce((total, question) => total + (question.type === "draw" ? question.count : 1), 0);
}

/** Whether a person may grade an answer to the quiz. Open questions can be drawn from banks, too. */
export const hasOpenQuestion = ({ questions }: AuthorQuiz): boolean =>
  questions.some((question) => takesRubric(question) || question.type === "draw");

/** Whether a person grades the answers to a question. */
export const takesRubric = (question: AuthorQuestion): question is RubricQuestion =>
  question.type === "essay" || question.type === "file_upload" || question.type === "hand_in";

export const isChoice = (question: AuthorQuestion): question is ChoiceQuestion =>
  question.type === "single_choice" || question.type === "multiple_choice";

/** The question of an assignment; null in a quiz. */
export function handInOf({ questions }: AuthorQuiz): HandInQuestion | null {
  const [question] = questions;
  return question?.type === "hand_in" ? question : null;
}

export function isEmptyDocument(content: unknown): boolean {
  return JSON.stringify(content) === JSON.stringify(emptyDocument());
}

/** A document of one paragraph. */
export const documentOf = (text: string): ContentNode =>
  text
    ? { type: "doc", content: [{ type: "paragraph", content: [{ type: "text", text }] }] }
    : emptyDocument();

export const newChoice = (text = "", correct = false): Choice => ({
  id: newId(),
  content: documentOf(text),
  correct,
});
/** A parameter whose name is the first free letter. */
export const newParameter = (taken: readonly string[] = []): Parameter => ({
  // Without `e`, which is a number.
  name: [..."abcdfghijklmnopqrstuvwxyz"].find((letter) => !taken.includes(letter)) ?? "",
  min: 1,
  max: 10,
  decimals: 0,
});
export const newPair = (left = ""): Pair => ({ id: newId(), left: documentOf(left), right: emptyDocument() });
export const newItem = (text = ""): Item => ({ id: newId(), content: documentOf(text) });

const LIST_MARKER = /^(?:[-*•–—]|\d{1,3}[.)]|\p{L}\))\s+/u;

/**
 * Splits pasted text into its lines; null for less than two. List markers, such as `1.`, `б)` and `•`, are removed if every line has
 * one, so that nothing is taken from lines that only look like a part of a list.
 */
export function listLines(pasted: string): string[] | null {
  const lines = pasted
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "");
  if (lines.length < 2) return null;
  const isList = lines.every((line) => LIST_MARKER.test(line));
  return isList ? lines.map((line) => line.replace(LIST_MARKER, "")) : lines;
}

/** An empty question with the initial number of parts of its type. */
export function newQuestion(type: Kind): AuthorQuestion {
  const common = { id: newId(), prompt: emptyDocument(), points: 1, explanation: null };
  switch (type) {
    case "single_choice":
    case "multiple_choice":
      return { ...common, type, options: [newChoice(), newChoice()] };
    case "short_text":
      return { ...common, type, accepted: [""], case_sensitive: false, regex: null };
    case "numeric":
      return { ...common, type, value: null, tolerance: 0, tolerance_percent: null };
    case "formula":
      // Rounding is usual in calculations, so a small deviation is allowed at first.
      return {
        ...common,
        type,
        parameters: [newParameter()],
        expression: "",
        tolerance: 0,
        tolerance_percent: 1,
      };
    case "matching":
      return { ...common, type, pairs: [newPair(), newPair()] };
    case "ordering":
      return { ...common, type, items: [newItem(), newItem()] };
    case "fill_blank":
      return { ...common, type, text: emptyDocument(), blanks: [] };
    case "hotspot":
      return { ...common, type, picture: null, zones: [], mark_all: false, all_or_nothing: false };
    case "essay":
      return { ...common, type, min_words: null, max_words: null, guide: null, rubric: null };
    case "file_upload":
      return { ...common, type, max_files: 1, extensions: [], guide: null, rubric: null };
  }
}

/**
 * Adds pasted questions at the question `into` whose prompt took the text: they replace it if it is empty, and otherwise follow it. Without
 * `into` they are added at the end. Pasted questions beyond the limit of a quiz are dropped.
 */
export function withPasted(
  questions: readonly AuthorQuestion[],
  pasted: readonly AuthorQuestion[],
  into: string | null,
): AuthorQuestion[] {
  const at = questions.findIndex(({ id }) => id === into);
  const target = questions[at];
  const kept = !target ? questions.length : isUntouched(target) ? at : at + 1;
  const [before, after] = [questions.slice(0, kept), target ? questions.slice(at + 1) : []];
  return [...before, ...pasted.slice(0, QUESTIONS_MAX - questionCount([...before, ...after])), ...after];
}

/** Whether nothing was written in a question. */
function isUntouched(question: AuthorQuestion): boolean {
  const documents =
    "options" in question
      ? question.options.flatMap(({ content, feedback }) => [content, feedback ?? emptyDocument()])
      : null;
  const about = [question.prompt, question.explanation ?? emptyDocument(), ...(question.hints ?? [])];
  return documents !== null && [...about, ...documents].every(isEmptyDocument);
}

/** Converts between single and multiple choice. Keeps the options without weights; single choice keeps the first right one. */
export function switchChoice(given: ChoiceQuestion): ChoiceQuestion {
  const question = withScoring(given, "parts");
  if (question.type === "single_choice") return { ...question, type: "multiple_choice" };
  const first = question.options.find(({ correct }) => correct)?.id;
  return {
    ...question,
    type: "single_choice",
    options: question.options.map((option) => ({ ...option, correct: option.id === first })),
  };
}

/** A copy of the question with new ids. */
export function copyOf(question: AuthorQuestion): AuthorQuestion {
  const fresh = <T extends { id: string }>(parts: readonly T[]): T[] =>
    parts.map((part) => ({ ...part, id: newId() }));
  const id = newId();
  switch (question.type) {
    case "single_choice":
    case "multiple_choice":
      return { ...question, id, options: fresh(question.options) };
    case "short_text":
    case "numeric":
    case "draw":
    case "formula":
      return { ...question, id };
    case "essay":
    case "file_upload":
    case "hand_in": {
      const { rubric } = question;
      return { ...question, id, ...(rubric && { rubric: copyOfRubric(rubric, rubric.is_shown) }) };
    }
    case "hotspot":
      return { ...question, id, zones: fresh(question.zones) };
    case "matching":
      return { ...question, id, pairs: fresh(question.pairs) };
    case "ordering":
      return { ...question, id, items: fresh(question.items) };
    case "fill_blank": {
      const ids = new Map(question.blanks.map((blank) => [blank.id, newId()]));
      const blanks = question.blanks.map((blank): Blank => {
        const own = { id: ids.get(blank.id) ?? newId() };
        return "options" in blank
          ? { ...own, options: fresh(blank.options) }
          : { ...own, accepted: [...blank.accepted] };
      });
      return { ...question, id, text: renamed(question.text, ids), blanks };
    }
  }
}

function renamed(node: unknown, ids: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(node)) return node.map((child) => renamed(child, ids));
  if (typeof node !== "object" || node === null) return node;
  const { type, attrs, content, ...rest } = node as ContentNode;
  const blank = type === "blank" ? ids.get(String(attrs?.blank_id)) : undefined;
  return {
    type,
    ...rest,
    ...(attrs && { attrs: blank ? { ...attrs, blank_id: blank } : attrs }),
    ...(content && { content: renamed(content, ids) }),
  };
}

/** Ids of the blanks in a text, in reading order. */
export function blanksIn(node: unknown): string[] {
  if (typeof node !== "object" || node === null) return [];
  const { type, attrs, content } = node as ContentNode;
  if (type === "blank") return typeof attrs?.blank_id === "string" ? [attrs.blank_id] : [];
  return Array.isArray(content) ? content.flatMap(blanksIn) : [];
}
