import { PER_PAGE, pagesOf } from "../ui/pageNumber";

/** What the lists of courses are ordered by. */
export const SORTS = ["recent", "title", "progress"] as const;
export type Sort = (typeof SORTS)[number];

export interface Listed {
  id: string;
  title: string;
  /** RFC 3339: the last thing that happened. */
  at: string;
  /** Of the reader, in percent; left out where there is none. */
  percent?: number;
}

/** Those whose title has every word, in the order asked for. Ё and е are one letter to who searches. */
export function arranged<T extends Listed>(
  courses: readonly T[],
  words: string,
  sort: Sort,
  language: string,
) {
  const sought = folded(words).split(/\s+/).filter(Boolean);
  const found = courses.filter(({ title }) => {
    const name = folded(title);
    return sought.every((word) => name.includes(word));
  });
  const byTitle = new Intl.Collator(language, { numeric: true, sensitivity: "base" });
  const compare: Record<Sort, (one: T, other: T) => number> = {
    recent: (one, other) => other.at.localeCompare(one.at),
    title: (one, other) => byTitle.compare(one.title, other.title),
    progress: (one, other) => (other.percent ?? 0) - (one.percent ?? 0) || other.at.localeCompare(one.at),
  };
  return found.toSorted(compare[sort]);
}

function folded(text: string): string {
  return text.toLocaleLowerCase("ru").replaceAll("ё", "е");
}

/** One page of a list; a number beyond the end is the last. */
export function paged<T>(items: readonly T[], page: number) {
  const pages = pagesOf(items.length);
  const shown = Math.min(Math.max(1, page), pages);
  return { pages, shown, items: items.slice((shown - 1) * PER_PAGE, shown * PER_PAGE) };
}

export function sortOf(value: unknown): Sort | undefined {
  return SORTS.find((sort) => sort === value);
}
