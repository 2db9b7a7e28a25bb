import { PartTimes } from "../dates/PartTimes";
import type { Page } from "./ReadingPage";
import classes from "./ReadingPage.module.css";

/** The due date of a page, below its title. */
export default function PageTimes({ page }: { page: Page }) {
  // Nothing is overdue for staff who look at the page.
  const isDone = page.isVisited || page.course.enrollment === null;
  const times = { ...page.timeline, state: "OPEN" as const, opensAt: null, closesAt: null, needs: [] };
  return (
    <div className={classes.times}>
      <PartTimes times={times} isDone={isDone} zone={page.course.timeZone} inFull />
    </div>
  );
}
