import { useQuery } from "@apollo/client/react";
import { useState } from "react";
import { pageTitle } from "../course/pageTitle";
import { PageDiff } from "../editor/compare/PageDiff";
import { dateAndTime } from "../editor/dateAndTime";
import { QueryState } from "../errors/QueryState";
import { useTranslation } from "../i18n/useTranslation";
import { Checkbox } from "../ui/Checkbox";
import { Dialog } from "../ui/Dialog";
import { TextSkeleton } from "../ui/Skeletons";
import { PageChangesDocument } from "../unpublished/Unpublished.generated";
import { SnapshotPageDocument } from "./Snapshots.generated";
import classes from "./Snapshots.module.css";
import {
  compared,
  hasDraft,
  type PageTexts,
  type Part,
  type Sides,
  type Snapshot,
  snapshotName,
  textsOf,
} from "./snapshot";

interface Props {
  page: Part;
  sides: Sides;
  onClose: () => void;
}

/** The dialog that compares both texts of a page. */
export function ComparedPage({ page, sides: { from, to }, onClose }: Props) {
  const { t, i18n } = useTranslation();
  const title = pageTitle(page, t);
  const before = useTexts(from, page.id);
  const after = useTexts(to, page.id);
  // Where only what learners see differs, the unpublished changes would hide it.
  const [withDraft, setWithDraft] = useState(page.fields.includes("DRAFT"));
  const about = (side: Snapshot | null) =>
    side ? dateAndTime(side.takenAt, i18n.language, t) : t("snapshots.compare.now");
  const heading = (side: Snapshot | null) => (side ? snapshotName(side, t) : t("snapshots.compare.course"));
  const side = (of: Snapshot | null, texts: PageTexts) => ({
    heading: heading(of),
    about: about(of),
    ...compared(texts, withDraft),
  });
  return (
    <Dialog open wide="full" onClose={onClose} title={t("snapshots.compare.page", { title })}>
      {!before.texts || !after.texts ? (
        <QueryState
          error={before.error ?? after.error}
          retry={() => {
            before.retry();
            after.retry();
          }}
          heading="p"
          loading={<TextSkeleton lines={8} />}
        />
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: long texts are scrolled by keys
        <section className={classes.compared} aria-label={title} tabIndex={0}>
          {hasDraft(before.texts, after.texts) && (
            <Checkbox
              label={t("snapshots.page.withDraft")}
              checked={withDraft}
              onChange={(event) => setWithDraft(event.currentTarget.checked)}
            />
          )}
          <PageDiff key={String(withDraft)} before={side(from, before.texts)} after={side(to, after.texts)} />
        </section>
      )}
    </Dialog>
  );
}

/** The texts of a page in a snapshot, or in the course as it is now. */
function useTexts(side: Snapshot | null, pageId: string) {
  const { t } = useTranslation();
  const kept = useQuery(SnapshotPageDocument, {
    variables: { id: side?.id ?? "", pageId },
    fetchPolicy: "no-cache",
    skip: side === null,
  });
  const now = useQuery(PageChangesDocument, {
    variables: { id: pageId },
    fetchPolicy: "no-cache",
    skip: side !== null,
  });
  const query = side === null ? now : kept;
  const page = kept.data?.courseSnapshot.page;
  const texts = page
    ? textsOf(page, page.draft)
    : now.data && textsOf(now.data.page, now.data.page.pageDraft);
  const missing = kept.data && !page ? new Error(t("snapshots.page.missing")) : undefined;
  return { texts, error: query.error ?? missing, retry: () => void query.refetch().catch(() => undefined) };
}
