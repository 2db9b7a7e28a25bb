import type { ContentNode } from "../../content/model";
import type { PageText } from "../pageText";
import { type MergedPart, mergeBlocks } from "./mergeBlocks";
import {
  type Merged,
  type MergedQuiz,
  mergeQuizzes,
  mergeValue,
  quizChoices,
  resolvedQuiz,
} from "./mergeQuizzes";

/** What the author takes where both texts have changed. */
export type Choice = "mine" | "theirs" | "both";

/** Where there is a choice: the title, the settings of the quiz, a question by its id, and a part of the text by its index. */
export type ChoicePlace = string | number;

/** Two texts of one page, merged as far as they do not contradict each other. */
export interface Conflict {
  title: Merged<string | null>;
  quiz: MergedQuiz;
  parts: MergedPart[];
  /** How many choices are left to the author. */
  choices: number;
}

/** Merges two texts that were both made of `base`. */
export function mergeTexts(base: PageText, mine: PageText, theirs: PageText): Conflict {
  const title = mergeValue(base.title, mine.title, theirs.title);
  const quiz = mergeQuizzes(base.quiz, mine.quiz, theirs.quiz);
  const parts = mergeBlocks(base.content, mine.content, theirs.content);
  const choices = [title, ...parts].filter(({ kind }) => kind === "both").length + quizChoices(quiz);
  return { title, quiz, parts, choices };
}

/** The text that the choices make. */
export function resolved(conflict: Conflict, choose: (at: ChoicePlace) => Choice) {
  const { title } = conflict;
  const blocks = conflict.parts.flatMap((part, index): ContentNode[] => {
    if (part.kind === "settled") return part.blocks;
    const choice = choose(index);
    return [...(choice === "mine" ? [] : part.theirs), ...(choice === "theirs" ? [] : part.mine)];
  });
  return {
    title: title.kind === "settled" ? title.value : choose("title") === "theirs" ? title.theirs : title.mine,
    quiz: resolvedQuiz(conflict.quiz, (at) => choose(at) === "theirs"),
    content: { type: "doc", content: blocks.length > 0 ? blocks : [{ type: "paragraph" }] },
  };
}
