import { missingInQuestion } from "./completeness";
import { type AuthorQuestion, documentOf, newChoice, newQuestion } from "./model";

/**
 * Reads questions as people type them, and as the Aiken format defines them: the question, a line for each option that begins with a
 * letter or a number, and a line such as `ANSWER: B` or `Ответ: Б, Г`. A sign `*` or `+` before or after an option marks it as right, too.
 * Without an answer the question is incomplete, which the builder shows. Several right options make a multiple choice.
 */
export function readQuestions(pasted: string): AuthorQuestion[] {
  const questions: AuthorQuestion[] = [];
  let open: Open | null = null;
  const close = () => {
    const question = open && toQuestion(open);
    if (question) questions.push(question);
    open = null;
  };
  for (const line of pasted.split(/\r?\n/).map((one) => one.trim())) {
    if (line === "") {
      // An empty line inside a question, between its text and its options, means nothing.
      if (open && (open as Open).options.length > 0) close();
      continue;
    }
    const answer = ANSWER.exec(line);
    if (answer && open) {
      (open as Open).answers = (answer[1] ?? "").split(/[\s,;]+/).filter(Boolean);
      close();
      continue;
    }
    const option = OPTION.exec(line);
    if (option && open && isOneOf(open, option[2] ?? "")) {
      const [, before = "", name = "", words = ""] = option;
      const text = words.replace(RIGHT_AFTER, "");
      const isRight = before !== "" || text !== words;
      (open as Open).options.push({ name, text: text.trim(), isRight });
      continue;
    }
    // A line after the options begins the next question.
    if (open && (open as Open).options.length > 0) close();
    const started: Open = open ?? { prompt: [], options: [], answers: [] };
    started.prompt.push(started.prompt.length === 0 ? line.replace(NUMBER, "") : line);
    open = started;
  }
  close();
  return questions;
}

/** Whether a text may be in GIFT: it has answers in braces. */
export function isGift(text: string): boolean {
  return /\{[^}]*\}/.test(text);
}

/** Whether a text is surely in GIFT: it has titles or categories of questions, too. */
export function isSurelyGift(text: string): boolean {
  return /^\s*(?:::|\$CATEGORY:)/m.test(text) && isGift(text);
}

/**
 * Whether a text that is pasted into an empty prompt holds whole questions: GIFT with a title or a category, or questions with a right option.
 * A list without one may be part of the prompt.
 */
export function holdsQuestions(text: string): boolean {
  return (
    isSurelyGift(text) || readQuestions(text).some((question) => missingInQuestion(question).length === 0)
  );
}

/** Whether a line with this sign continues the options: after options with letters, a number begins the next question. */
function isOneOf({ options }: Open, name: string): boolean {
  const isNumber = (sign: string) => /^\d/.test(sign);
  return options[0] === undefined || isNumber(options[0].name) === isNumber(name);
}

interface Open {
  prompt: string[];
  options: { name: string; text: string; isRight: boolean }[];
  /** The names of the right options. */
  answers: string[];
}

const ANSWER = /^(?:answers?|ответы?|правильный ответ|верный ответ)\s*[:：]\s*(.+)$/iu;
const OPTION = /^([*+]\s*)?(\p{L}|\d{1,2})(?:\)\s*|\.\s+)([*+]?.+)$/u;
/** A plus needs a space before it: `C++` ends with one of its own. */
const RIGHT_AFTER = /^[*+]\s*|\s*\*$|\s+\+$/;
/** The number of a question; its options may have numbers, too, but never begin a question. */
const NUMBER = /^(?:(?:вопрос|question)\s+)?№?\s*\d{1,3}[.)]\s+/iu;

function toQuestion({ prompt, options, answers }: Open): AuthorQuestion | null {
  if (options.length < 2) return null;
  const named = new Set(answers.map(nameOf));
  const choices = options.map(({ name, text, isRight }) =>
    newChoice(text, isRight || named.has(nameOf(name))),
  );
  const several = choices.filter(({ correct }) => correct).length > 1;
  const question = newQuestion(several ? "multiple_choice" : "single_choice");
  return { ...question, prompt: documentOf(prompt.join(" ")), options: choices } as AuthorQuestion;
}

/** Latin and Cyrillic capitals that look alike are one letter: nobody sees on which keyboard it was typed. */
const ALIKE: Record<string, string> = { А: "A", В: "B", С: "C", Е: "E", К: "K", М: "M", О: "O" };

function nameOf(letter: string): string {
  const upper = letter.replace(/[.)]$/, "").toUpperCase();
  return ALIKE[upper] ?? upper;
}
