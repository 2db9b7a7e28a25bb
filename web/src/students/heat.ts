import type { CourseHeatMapQuery } from "./HeatMap.generated";

export type HeatMap = CourseHeatMapQuery["courseHeatMap"];
export type HeatModule = HeatMap["modules"][number];
export type HeatPage = HeatModule["lessons"][number]["pages"][number];

/** How many of the pages where most students stop are told apart. */
const WORST = 3;

/** The modules and lessons that have something to show: published pages. */
export function shownModules({ modules }: HeatMap): HeatModule[] {
  return modules
    .map((module) => ({ ...module, lessons: module.lessons.filter((lesson) => lesson.pages.length > 0) }))
    .filter((module) => module.lessons.length > 0);
}

export function pagesOf(module: HeatModule): HeatPage[] {
  return module.lessons.flatMap((lesson) => lesson.pages);
}

/** Where most students stop, the worst first; equal ones in the order of the course. */
export function worstPages(modules: readonly HeatModule[]): HeatPage[] {
  const stops = modules.flatMap(pagesOf).filter((page) => page.stopped > 0);
  return stops.sort((one, other) => other.stopped - one.stopped).slice(0, WORST);
}

/** Whole percent of the whole, rounded down, as the server rounds. */
export function percentOf(part: number, whole: number): number {
  return whole > 0 ? Math.floor((part * 100) / whole) : 0;
}

/** How hot a page is, 0 to 4: 4 where more students stop than anywhere else. */
export function heatOf(stopped: number, most: number): number {
  return most > 0 ? Math.ceil((stopped * 4) / most) : 0;
}
