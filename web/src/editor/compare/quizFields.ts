import { isNode, plainText } from "../../content/model";
import type { Zone } from "../../quiz/hotspot/zones";
import {
  type AuthorQuestion,
  type AuthorQuiz,
  type Blank,
  blanksIn,
  type Choice,
} from "../../quiz-builder/model";
import type { AuthorRubric } from "../../quiz-builder/rubric";

/** The value of a field of a quiz, as it is compared and shown. */
export type Value =
  | { document: unknown }
  | { text: string }
  | { number: number }
  | { flag: boolean }
  /** The name of a choice, by the key of its text. */
  | {
      word: `quizBuilder.${"kinds" | "settings.reveals" | "settings.releases" | "settings.checkings"}.${string}`;
    }
  /** Values that have no order of their own. */
  | { list: string[] }
  /** The order of parts; parts that only one side has do not change it. */
  | { order: { id: string; text: string }[] }
  | { zone: Zone }
  /** A value without words. */
  | { hidden: string };

export type FieldName = `settings.${(typeof SETTINGS)[number]}` | (typeof NAMES)[number];

const SETTINGS = [
  "pass_percent",
  "max_attempts",
  "time_limit_seconds",
  "grace_seconds",
  "reveal",
  "release",
  "checking",
  "shuffle_questions",
  "shuffle_options",
] as const;

const NAMES = [
  "type",
  "prompt",
  "points",
  "explanation",
  "hint",
  "option",
  "optionIsRight",
  "optionFeedback",
  "optionWeight",
  "optionOrder",
  "wholeOnly",
  "accepted",
  "caseSensitive",
  "regex",
  "value",
  "tolerance",
  "tolerancePercent",
  "units",
  "parameters",
  "expression",
  "pairLeft",
  "pairRight",
  "pairOrder",
  "item",
  "itemOrder",
  "blankText",
  "blankAnswers",
  "blankOption",
  "blankOptionIsRight",
  "picture",
  "zone",
  "markAll",
  "minWords",
  "maxWords",
  "maxFiles",
  "extensions",
  "takesText",
  "maxLinks",
  "guide",
  "rubricIsShown",
  "criterion",
  "criterionAbout",
  "criterionLevels",
  "bank",
  "tags",
  "drawCount",
  "other",
] as const;

export interface Field {
  /** The same for the same field of both quizzes. */
  key: string;
  name: FieldName;
  /** The number of an option or another part, from 1. */
  number?: number;
  value: Value;
}

/** The settings of a quiz that are set. */
export function settingsOf(quiz: AuthorQuiz): Field[] {
  const fields = new Fields();
  for (const name of SETTINGS) {
    const value = quiz[name];
    if (name === "reveal") fields.add(`settings.${name}`, { word: `quizBuilder.settings.reveals.${value}` });
    else if (name === "release")
      fields.add(`settings.${name}`, { word: `quizBuilder.settings.releases.${value}` });
    else if (name === "checking")
      fields.add(`settings.${name}`, { word: `quizBuilder.settings.checkings.${value}` });
    else fields.plain(`settings.${name}`, value);
  }
  return fields.list;
}

/** All fields of a question that are set. */
export function fieldsOf(question: AuthorQuestion): Field[] {
  const fields = new Fields();
  fields.add("type", { word: `quizBuilder.kinds.${question.type}` });
  if (question.type !== "draw") fields.document("prompt", question.prompt);
  fields.plain("points", question.points);
  for (const [at, hint] of (question.hints ?? []).entries())
    fields.document("hint", hint, { number: at + 1 });
  addAnswer(fields, question);
  fields.document("explanation", question.explanation);
  for (const [name, value] of Object.entries(question))
    if (!KNOWN.has(name)) fields.add("other", { hidden: JSON.stringify(value) }, { id: name });
  return fields.list;
}

/** The fields that the functions of this file read, and `source`, which says where a question comes from. */
const KNOWN = new Set(
  (
    "id type prompt points hints explanation source options all_or_nothing accepted case_sensitive regex value tolerance " +
    "tolerance_percent units parameters expression pairs items text blanks picture zones mark_all min_words max_words max_files " +
    "extensions takes_text max_links guide rubric bank_id tags count"
  ).split(" "),
);

function addAnswer(fields: Fields, question: AuthorQuestion): void {
  switch (question.type) {
    case "single_choice":
    case "multiple_choice":
      addOptions(fields, question.options);
      fields.plain("wholeOnly", question.all_or_nothing ?? false);
      break;
    case "short_text":
      fields.strings("accepted", question.accepted);
      fields.plain("caseSensitive", question.case_sensitive);
      fields.plain("regex", question.regex);
      break;
    case "numeric":
    case "formula":
      if (question.type === "numeric") fields.plain("value", question.value);
      else {
        fields.strings(
          "parameters",
          question.parameters.map(
            ({ name, min, max, decimals }) => `${name}: ${min ?? ""} – ${max ?? ""}, ${decimals}`,
          ),
        );
        fields.plain("expression", question.expression);
      }
      fields.plain("tolerance", question.tolerance);
      fields.plain("tolerancePercent", question.tolerance_percent);
      fields.strings(
        "units",
        (question.units ?? []).map(({ name, factor }) => (factor === 1 ? name : `${name} × ${factor}`)),
      );
      break;
    case "matching":
      for (const [at, { id, left, right }] of question.pairs.entries()) {
        fields.document("pairLeft", left, { id, number: at + 1 });
        fields.document("pairRight", right, { id, number: at + 1 });
      }
      fields.order("pairOrder", question.pairs, ({ left }) => left);
      break;
    case "ordering":
      for (const [at, { id, content }] of question.items.entries())
        fields.document("item", content, { id, number: at + 1 });
      fields.order("itemOrder", question.items, ({ content }) => content);
      break;
    case "fill_blank":
      fields.document("blankText", question.text);
      addBlanks(fields, blanksIn(question.text), question.blanks);
      break;
    case "hotspot":
      fields.document("picture", question.picture);
      for (const [at, zone] of question.zones.entries())
        fields.add("zone", { zone }, { id: zone.id, number: at + 1 });
      fields.plain("markAll", question.mark_all);
      fields.plain("wholeOnly", question.all_or_nothing);
      break;
    case "essay":
    case "file_upload":
    case "hand_in":
      if (question.type !== "file_upload") {
        fields.plain("minWords", question.min_words);
        fields.plain("maxWords", question.max_words);
      }
      if (question.type !== "essay") {
        fields.plain("maxFiles", question.max_files);
        fields.strings("extensions", question.extensions);
      }
      if (question.type === "hand_in") {
        fields.plain("takesText", question.takes_text);
        fields.plain("maxLinks", question.max_links);
      }
      fields.document("guide", question.guide);
      addRubric(fields, question.rubric ?? null);
      break;
    case "draw":
      fields.add("bank", { hidden: question.bank_id });
      fields.strings("tags", question.tags);
      fields.plain("drawCount", question.count);
      break;
  }
}

function addOptions(fields: Fields, options: readonly Choice[]): void {
  for (const [at, { id, content, correct, feedback, weight }] of options.entries()) {
    const part = { id, number: at + 1 };
    fields.document("option", content, part);
    fields.plain("optionIsRight", correct, part);
    fields.document("optionFeedback", feedback, part);
    fields.plain("optionWeight", weight, part);
  }
  fields.order("optionOrder", options, ({ content }) => content);
}

function addBlanks(fields: Fields, inText: readonly string[], blanks: readonly Blank[]): void {
  for (const blank of blanks) {
    const number = inText.indexOf(blank.id) + 1;
    if ("accepted" in blank) fields.strings("blankAnswers", blank.accepted, { id: blank.id, number });
    else
      for (const { id, content, correct } of blank.options) {
        fields.document("blankOption", content, { id, number });
        fields.plain("blankOptionIsRight", correct, { id, number });
      }
  }
}

function addRubric(fields: Fields, rubric: AuthorRubric | null): void {
  if (!rubric) return;
  fields.plain("rubricIsShown", rubric.is_shown);
  for (const [at, { id, name, description, levels }] of rubric.criteria.entries()) {
    const part = { id, number: at + 1 };
    fields.plain("criterion", name, part);
    fields.plain("criterionAbout", description, part);
    fields.strings(
      "criterionLevels",
      levels.map(({ name, points, description }) =>
        [`${name}: ${points}`, description].filter(Boolean).join(". "),
      ),
      part,
    );
  }
}

interface Part {
  id?: string;
  number?: number;
}

/** Collects the fields of a question; values that are not set make no field. */
class Fields {
  readonly list: Field[] = [];

  add(name: FieldName, value: Value, { id, number }: Part = {}): void {
    const key = `${name} ${id ?? number ?? ""}`;
    this.list.push({ key, name, value, ...(number !== undefined && { number }) });
  }

  plain(name: FieldName, value: string | number | boolean | null | undefined, part?: Part): void {
    if (typeof value === "boolean") this.add(name, { flag: value }, part);
    else if (typeof value === "number") this.add(name, { number: value }, part);
    else if (value) this.add(name, { text: value }, part);
  }

  strings(name: FieldName, list: readonly string[], part?: Part): void {
    if (list.length > 0) this.add(name, { list: [...list] }, part);
  }

  document(name: FieldName, document: unknown, part?: Part): void {
    if (isNode(document)) this.add(name, { document }, part);
  }

  order<T extends { id: string }>(
    name: FieldName,
    parts: readonly T[],
    contentOf: (part: T) => unknown,
  ): void {
    const order = parts.map((part) => {
      const content = contentOf(part);
      return { id: part.id, text: isNode(content) ? plainText(content).trim() : "" };
    });
    this.add(name, { order });
  }
}
