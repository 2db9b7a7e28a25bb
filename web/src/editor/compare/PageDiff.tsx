import { lazy, Suspense } from "react";
import { withTexts } from "../../i18n";
import { TextSkeleton } from "../../ui/Skeletons";

/** One of the two compared texts. */
export interface ComparedText {
  /** What the text is, for its reader, such as "Now". */
  heading: string;
  /** Its editor and time. */
  about: string;
  title: string | null;
  content: unknown;
  /** The author's quiz; missing or null without one. */
  quiz?: unknown;
}

const PageChanges = lazy(() =>
  withTexts(import("./PageChanges"), "compare").then(({ PageChanges }) => ({ default: PageChanges })),
);

/** What has changed from one text of a page to another. Both texts stay the same while they are compared: give the element a key. */
export function PageDiff(texts: { before: ComparedText; after: ComparedText }) {
  return (
    <Suspense fallback={<TextSkeleton lines={8} />}>
      <PageChanges {...texts} />
    </Suspense>
  );
}
