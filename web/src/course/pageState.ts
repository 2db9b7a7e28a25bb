/** How far a learner is with a page: done, opened but not done (a quiz that is not passed), or new. */
export function pageState(page: {
  isVisited: boolean;
  isCompleted: boolean;
}): "completed" | "visited" | "new" {
  if (page.isCompleted) return "completed";
  return page.isVisited ? "visited" : "new";
}
