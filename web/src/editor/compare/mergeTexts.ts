import type { ContentNode } from "../../content/model";
import type { PageText } from "../pageText";
import { type MergedPart, mergeBlocks } from "./mergeBlocks";

/** What the author takes where both texts have changed. */
export type Choice = "mine" | "theirs" | "both";

/** A value that at most one of the texts changed, or one that both did. */
type Merged<T> = { kind: "settled"; value: T } | { kind: "both"; mine: T; theirs: T };

/** Two texts of one page, merged as far as they do not contradict each other. */
export interface Conflict {
  title: Merged<string | null>;
  quiz: Merged<unknown>;
  parts: MergedPart[];
  /** How many choices are left to the author. */
  choices: number;
}

/** Merges two texts that were both made of `base`. */
export function mergeTexts(base: PageText, mine: PageText, theirs: PageText): Conflict {
  const title = mergeValue(base.title, mine.title, theirs.title);
  const quiz = mergeValue(base.quiz, mine.quiz, theirs.quiz);
  const parts = mergeBlocks(base.content, mine.content, theirs.content);
  const choices = [title, quiz, ...parts].filter(({ kind }) => kind === "both").length;
  return { title, quiz, parts, choices };
}

/** The text that the choices make: `choose` is asked for "title", "quiz" and the index of each part that both changed. */
export function resolved(conflict: Conflict, choose: (at: "title" | "quiz" | number) => Choice) {
  const pick = <T>(value: Merged<T>, at: "title" | "quiz"): T => {
    if (value.kind === "settled") return value.value;
    return choose(at) === "theirs" ? value.theirs : value.mine;
  };
  const blocks = conflict.parts.flatMap((part, index): ContentNode[] => {
    if (part.kind === "settled") return part.blocks;
    const choice = choose(index);
    return [...(choice === "mine" ? [] : part.theirs), ...(choice === "theirs" ? [] : part.mine)];
  });
  return {
    title: pick(conflict.title, "title"),
    quiz: pick(conflict.quiz, "quiz"),
    content: { type: "doc", content: blocks.length > 0 ? blocks : [{ type: "paragraph" }] },
  };
}

function mergeValue<T>(base: T, mine: T, theirs: T): Merged<T> {
  const [of, own, other] = [base, mine, theirs].map((value) => JSON.stringify(value ?? null));
  if (own === of || own === other) return { kind: "settled", value: theirs };
  if (other === of) return { kind: "settled", value: mine };
  return { kind: "both", mine, theirs };
}
