import type { RefObject } from "react";
import CourseDone from "../CourseDone";
import { EndOfPage } from "../EndOfPage";
import type { Page } from "../ReadingPage";
import { PageTools } from "./PageTools";
import { Skipped } from "./Skipped";

export type LaterProps = { page: Page } & (
  | { part: "moment" }
  | {
      part: "tools";
      content: RefObject<HTMLElement | null>;
      /** Whether the page was read to its end. */
      finished: RefObject<boolean>;
      /** Whether the page has opened at a place where it was left. */
      isResumed: boolean;
    }
  | {
      part: "end";
      /** Whether this visit completed the lesson. */
      lessonDone: boolean;
      /** Whether this visit completed the course and the page shows it here. */
      courseDone: boolean;
      /** Whether the course is completed, and this is the last page or the completion is shown above. */
      isDone: boolean;
      visitUnsent: boolean;
    }
  | {
      part: "skipped";
      /** Where the link to the next page leads. */
      next: { id: string } | null;
    }
);

/** The parts of the reading screen that are loaded after its text. */
export default function Later(props: LaterProps) {
  const { page } = props;
  switch (props.part) {
    case "tools":
      return <PageTools {...props} />;
    case "moment":
      return <CourseDone course={page.course} />;
    case "end":
      return <EndOfPage {...props} />;
    case "skipped":
      return page.course.enrollment && <Skipped pageId={page.id} nextPageId={props.next?.id} />;
  }
}
