/**
 * How far a learner is with a page: done, locked, opened but not done (a quiz that is not passed), or new.
 */
export function pageState(page: {
  isVisited: boolean;
  isCompleted: boolean;
  timeline: { state: string };
}): "completed" | "visited" | "new" | "locked" {
  if (page.timeline.state === "LOCKED") return "locked";
  if (page.isCompleted) return "completed";
  return page.isVisited ? "visited" : "new";
}
