import { PER_PAGE, pagesOf } from "../ui/pageNumber";
import type { Sort } from "./sorts";

export interface CourseListItem {
  id: string;
  title: string;
  /** The time of the last activity, RFC 3339. */
  at: string;
  /** The user's progress in percent; missing for taught courses. */
  percent?: number;
}

/** Returns the courses whose title contains every word, sorted. The search treats ё as е. */
export function searchAndSort<T extends CourseListItem>(
  courses: readonly T[],
  words: string,
  sort: Sort,
  language: string,
) {
  const searchWords = normalized(words).split(/\s+/).filter(Boolean);
  const found = courses.filter(({ title }) => {
    const name = normalized(title);
    return searchWords.every((word) => name.includes(word));
  });
  const byTitle = new Intl.Collator(language, { numeric: true, sensitivity: "base" });
  const compare: Record<Sort, (one: T, other: T) => number> = {
    recent: (one, other) => other.at.localeCompare(one.at),
    title: (one, other) => byTitle.compare(one.title, other.title),
    progress: (one, other) => (other.percent ?? 0) - (one.percent ?? 0) || other.at.localeCompare(one.at),
  };
  return found.toSorted(compare[sort]);
}

function normalized(text: string): string {
  return text.toLocaleLowerCase("ru").replaceAll("ё", "е");
}

/** Returns one page of a list; a number beyond the end returns the last page. */
export function paginate<T>(items: readonly T[], page: number) {
  const pages = pagesOf(items.length);
  const shown = Math.min(Math.max(1, page), pages);
  return { pages, shown, items: items.slice((shown - 1) * PER_PAGE, shown * PER_PAGE) };
}
