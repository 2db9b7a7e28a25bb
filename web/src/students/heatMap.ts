import type { CourseHeatMapQuery } from "./HeatMap.generated";

export type HeatMap = CourseHeatMapQuery["courseHeatMap"];
export type HeatModule = HeatMap["modules"][number];
export type HeatPage = HeatModule["lessons"][number]["pages"][number];

/** The number of pages listed as those where most students stop. */
const WORST = 3;

/** Returns the modules and lessons that have published pages. */
export function shownModules({ modules }: HeatMap): HeatModule[] {
  return modules
    .map((module) => ({ ...module, lessons: module.lessons.filter((lesson) => lesson.pages.length > 0) }))
    .filter((module) => module.lessons.length > 0);
}

export function pagesOf(module: HeatModule): HeatPage[] {
  return module.lessons.flatMap((lesson) => lesson.pages);
}

/** Returns the pages where most students stop, highest count first; equal counts in course order. */
export function worstPages(modules: readonly HeatModule[]): HeatPage[] {
  const stops = modules.flatMap(pagesOf).filter((page) => page.stopped > 0);
  return stops.sort((one, other) => other.stopped - one.stopped).slice(0, WORST);
}

/** Returns a share in whole percent, rounded down like the server. */
export function percentOf(part: number, whole: number): number {
  return whole > 0 ? Math.floor((part * 100) / whole) : 0;
}

/** Returns the heat level of a page, 0 to 4; 4 is the page where most students stop. */
export function heatOf(stopped: number, most: number): number {
  return most > 0 ? Math.ceil((stopped * 4) / most) : 0;
}
