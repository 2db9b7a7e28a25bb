import type { RefObject } from "react";
import { usePreview } from "../../preview/context";
import CourseDone from "../CourseDone";
import { EndOfPage } from "../EndOfPage";
import type { Page } from "../ReadingPage";
import { usePrefetch } from "../usePrefetch";
import { Kept } from "./Kept";
import { PageTools } from "./PageTools";
import { Questions } from "./Questions";
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
      part: "below";
      /** Where the link to the next page leads. */
      next: { id: string } | null;
      content: RefObject<HTMLElement | null>;
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
    case "below":
      return <BelowLinks page={page} nextPageId={props.next?.id} content={props.content} />;
  }
}

interface BelowProps {
  page: Page;
  nextPageId: string | undefined;
  content: RefObject<HTMLElement | null>;
}

function BelowLinks({ page, nextPageId, content }: BelowProps) {
  const isInPreview = usePreview() !== null;
  usePrefetch(nextPageId);
  return (
    <>
      {page.course.enrollment && <Skipped pageId={page.id} nextPageId={nextPageId} />}
      {!isInPreview && <Kept page={page} content={content} />}
      {!isInPreview && <Questions page={page} content={content} />}
    </>
  );
}
