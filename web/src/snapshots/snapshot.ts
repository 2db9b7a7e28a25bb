import type { TFunction } from "i18next";
import { countCharacters, isBlank } from "../forms/rules";
import { momentOf } from "../i18n/formatDateTime";
import type {
  ChangedPartFragment,
  SnapshotDifferencesFragment,
  SnapshotOutlineQuery,
  SnapshotSummaryFragment,
} from "./Snapshots.generated";

export type Snapshot = SnapshotSummaryFragment;
export type Changes = SnapshotDifferencesFragment;
export type Part = ChangedPartFragment;
export type Outline = SnapshotOutlineQuery["courseSnapshot"]["outline"];

/** The longest name of a snapshot, in characters. */
const NAME_MAX = 120;

/** The kinds of changes of parts, in display order. */
export const GROUPS = ["removed", "added", "changed", "moved"] as const;
export type Group = (typeof GROUPS)[number];

/** The rule of a snapshot's name: the key of its problem, or null. */
export function nameProblem(name: string) {
  if (isBlank(name)) return "snapshots.nameRequired";
  return countCharacters(name.trim()) > NAME_MAX ? "snapshots.nameTooLong" : null;
}

/** How a snapshot is called: by its name, or by what it was taken before. */
export const snapshotName = ({ name, reason }: Pick<Snapshot, "name" | "reason">, t: TFunction): string =>
  name ?? t(`snapshots.reasons.${reason}`);

/** The day until which an automatic snapshot is kept; null for one that is kept until it is deleted. */
export function keptUntil({ expiresAt }: Pick<Snapshot, "expiresAt">, now: Date, language: string) {
  return expiresAt === null ? null : momentOf(expiresAt, now, language).day;
}

/** A page of a snapshot with its place. */
export interface PlacedPage {
  id: string;
  title: string | null;
  /** Its number in the lesson, from 1: the name of a page without a title. */
  number: number;
  module: string;
  lesson: string;
}

/** The pages of a snapshot in the order of its contents. */
export const pagesOf = (outline: Outline): PlacedPage[] =>
  outline.flatMap((module) =>
    module.lessons.flatMap((lesson) =>
      lesson.pages.map(({ id, title }, index) => ({
        id,
        title,
        number: index + 1,
        module: module.title,
        lesson: lesson.title,
      })),
    ),
  );

/** The page that the address names, else the first one. */
export const shownPage = (pages: readonly PlacedPage[], wanted: string | undefined): PlacedPage | undefined =>
  pages.find(({ id }) => id === wanted) ?? pages[0];

/** What is compared: changes lead from one side to the other. Null stands for the course as it is now. */
export interface Sides {
  from: Snapshot | null;
  to: Snapshot;
}

/** Changes between snapshots are shown in the order in which they were made, and those from the course as restoring makes them. */
export function sidesOf(shown: Snapshot, other: Snapshot | null): Sides {
  if (other === null || Date.parse(other.takenAt) <= Date.parse(shown.takenAt))
    return { from: other, to: shown };
  return { from: shown, to: other };
}

export const hasChanges = (changes: Changes): boolean =>
  changes.course.length > 0 || GROUPS.some((group) => changes[group].length > 0);

/** The numbers of modules, lessons and pages in words: «1 модуль, 3 страницы». */
export function countText(parts: readonly Part[], t: TFunction): string {
  const count = (kind: Part["part"]) => parts.filter(({ part }) => part === kind).length;
  const counts = [
    [count("MODULE"), "outline.modules"],
    [count("LESSON"), "outline.lessons"],
    [count("PAGE"), "common.pages"],
  ] as const;
  return counts.flatMap(([count, text]) => (count > 0 ? [t(text, { count })] : [])).join(", ");
}

/** What of a page a comparison of its texts shows. */
const TEXTS: ReadonlySet<string> = new Set<Part["fields"][number]>(["TITLE", "CONTENT", "QUIZ", "DRAFT"]);

/** Whether a changed part is a page whose texts differ. */
export const isComparable = ({ part, fields }: Part): boolean =>
  part === "PAGE" && fields.some((field) => TEXTS.has(field));

interface Tree {
  modules: readonly { lessons: readonly { pages: readonly { id: string; title: string | null }[] }[] }[];
}

/** The pages with these ids in the course, numbered within their lessons. Those that are not there any more are left out. */
export const pagesIn = ({ modules }: Tree, ids: readonly string[]) =>
  modules.flatMap(({ lessons }) =>
    lessons.flatMap(({ pages }) =>
      pages.flatMap(({ id, title }, index) => (ids.includes(id) ? [{ id, title, number: index + 1 }] : [])),
    ),
  );

/** A text of a page, as it is shown and compared. */
export interface PageText {
  title: string | null;
  content: unknown;
  quiz: unknown;
}

/** A page as its authors have it: what learners see and, if there are any, its unpublished changes. */
export interface PageTexts {
  learners: PageText;
  draft: PageText | null;
}

interface StoredText {
  title: string | null;
  content: unknown;
  authorQuiz?: unknown;
}

const textOf = ({ title, content, authorQuiz }: StoredText): PageText => ({
  title,
  content,
  quiz: authorQuiz ?? null,
});

export const textsOf = (page: StoredText, draft: StoredText | null | undefined): PageTexts => ({
  learners: textOf(page),
  draft: draft ? textOf(draft) : null,
});

/** The texts to compare: with the unpublished changes of both sides, or as learners see the page. */
export const compared = (texts: PageTexts, withDraft: boolean): PageText =>
  withDraft ? (texts.draft ?? texts.learners) : texts.learners;

/** Whether there is something to choose: unpublished changes of one side or of both. */
export const hasDraft = (...sides: readonly PageTexts[]): boolean =>
  sides.some(({ draft }) => draft !== null);
