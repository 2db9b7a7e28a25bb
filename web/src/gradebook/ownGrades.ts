import type { OwnGradesQuery } from "./OwnGrades.generated";

export type OwnGradebook = OwnGradesQuery["myGrades"];
export type OwnGrade = OwnGradebook["grades"][number];
export type OwnCategory = OwnGradebook["categories"][number];

/** Grades under one heading. */
export interface Part {
  /** Null: a course without categories, or the pages that are in none. */
  category: OwnCategory | null;
  grades: readonly OwnGrade[];
}

/** The grades by category. Pages without a category come last; next to categories they count nowhere. */
export function partsOf({ categories, grades }: OwnGradebook): Part[] {
  const known = new Set(categories.map(({ categoryId }) => categoryId));
  const parts: Part[] = categories.map((category) => ({
    category,
    grades: grades.filter(({ categoryId }) => categoryId === category.categoryId),
  }));
  const rest = grades.filter(({ categoryId }) => categoryId === null || !known.has(categoryId));
  return [...parts, { category: null, grades: rest }].filter((part) => part.grades.length > 0);
}

type Counted = Pick<OwnGradebook, "categories" | "grades">;

/** Whether a grade can be part of the grade of the course: the page counts for somebody, and for this learner. */
export const mayCount = (
  { categories }: Pick<Counted, "categories">,
  { isExcluded, source, categoryId: own }: OwnGrade,
) =>
  !isExcluded &&
  source !== "EXCUSED" &&
  (categories.length === 0 || categories.some(({ categoryId }) => categoryId === own));

/** How many of the pages that may count have a result. */
export function gradedOf(book: Counted): { graded: number; all: number } {
  const all = book.grades.filter((grade) => mayCount(book, grade));
  const graded = all.filter(({ source }) => source === "AUTOMATIC" || source === "OVERRIDE");
  return { graded: graded.length, all: all.length };
}

/** The sum of all weights, of which each category has its part; in decimals as the server writes them. */
export function weightsOf(categories: readonly OwnCategory[]): string {
  const hundredths = categories.reduce((sum, { weight }) => sum + Math.round(Number(weight) * 100), 0);
  return String(hundredths / 100);
}
