import { PartTimes } from "../dates/PartTimes";
import type { Page } from "./ReadingPage";
import classes from "./ReadingPage.module.css";

/** The due date of a page, below its title. */
export default function PageTimes({ page }: { page: Page }) {
  const times = { ...page.timeline, opensAt: null, closesAt: null };
  return (
    <div className={classes.times}>
      <PartTimes times={times} isDone={page.isVisited} zone={page.course.timeZone} inFull />
    </div>
  );
}
