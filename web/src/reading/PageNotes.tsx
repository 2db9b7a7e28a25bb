import { ChangedNote } from "./ChangedNote";
import { PreviewNote } from "./PreviewNote";
import type { Page } from "./ReadingPage";

/** What stands below the title of a page: that the reader only previews it, or that it has changed since they read it. */
export default function PageNotes({ page }: { page: Page }) {
  return page.changeSinceRead ? (
    <ChangedNote page={page} change={page.changeSinceRead} />
  ) : (
    <PreviewNote page={page} />
  );
}
