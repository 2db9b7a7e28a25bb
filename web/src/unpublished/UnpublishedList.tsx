import { useQuery } from "@apollo/client/react";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { QueryState } from "../errors/QueryState";
import { useTranslation } from "../i18n/useTranslation";
import { REGRADES } from "../outline/tabs";
import { Button } from "../ui/Button";
import { Checkbox } from "../ui/Checkbox";
import { EmptyState } from "../ui/EmptyState";
import { IconCheck } from "../ui/icons";
import { Rows } from "../ui/Rows";
import { ListSkeleton } from "../ui/Skeletons";
import { useOnline } from "../ui/useOnline";
import { ChangedPageRow } from "./ChangedPageRow";
import { type ChangedPage, changedPages } from "./changedPages";
import PublishDialog from "./PublishDialog";
import { PublishSome } from "./PublishSome";
import { UnpublishedListDocument } from "./Unpublished.generated";
import classes from "./UnpublishedList.module.css";
import { useReadAgain } from "./useReadAgain";

/** The pages of a course with changes that learners do not see, in the order of the contents: compares and publishes them. */
export default function UnpublishedList({ courseId }: { courseId: string }) {
  const { t } = useTranslation();
  const latest = useQuery(UnpublishedListDocument, {
    variables: { courseId },
    fetchPolicy: "cache-and-network",
  });
  const { error, refetch } = latest;
  // Rows stay when they could not be read again.
  const data = latest.data ?? latest.previousData;
  useReadAgain(refetch);
  const pages = data && changedPages(data.course.unpublishedChanges);
  return (
    <section className={classes.list} aria-labelledby="unpublished">
      <Link to="/edit-course/$courseId" params={{ courseId }} search={{}} className={classes.back}>
        {t("unpublished.list.back")}
      </Link>
      <h2 id="unpublished" className={classes.title}>
        {t("unpublished.list.title")}
      </h2>
      {!pages ? (
        <QueryState
          error={error}
          retry={() => void refetch().catch(() => undefined)}
          heading="p"
          loading={<ListSkeleton rows={4} height="4rem" />}
        />
      ) : pages.length === 0 ? (
        <EmptyState icon={<IconCheck size={28} />} title={t("unpublished.list.empty")} heading="h3">
          {t("unpublished.list.emptyText")}
        </EmptyState>
      ) : (
        <Loaded courseId={courseId} pages={pages} read={() => refetch().catch(() => undefined)} />
      )}
      {pages && (
        <Link
          to="/edit-course/$courseId"
          params={{ courseId }}
          search={{ tab: "grades", view: REGRADES }}
          className={classes.regrades}
        >
          {t("unpublished.list.regrades")}
        </Link>
      )}
    </section>
  );
}

interface Props {
  courseId: string;
  pages: readonly ChangedPage[];
  read: () => Promise<unknown>;
}

function Loaded({ courseId, pages, read }: Props) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const isOnline = useOnline();
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const [compared, setCompared] = useState<ChangedPage | null>(null);
  // A page that others have published meanwhile is no longer selected.
  const selected = pages.filter(({ id }) => ids.has(id));
  const isAll = selected.length === pages.length;
  const select = (id: string, on: boolean) => {
    const next = new Set(selected.map((page) => page.id));
    if (on) next.add(id);
    else next.delete(id);
    setIds(next);
  };
  return (
    <>
      <p className={classes.about}>{t("unpublished.list.about")}</p>
      <div className={classes.tools}>
        <Checkbox
          label={t("unpublished.list.selectAll")}
          checked={isAll}
          ref={(box) => {
            if (box) box.indeterminate = selected.length > 0 && !isAll;
          }}
          onChange={() => setIds(isAll ? new Set() : new Set(pages.map(({ id }) => id)))}
        />
        <PublishSome
          courseId={courseId}
          pages={selected.length > 0 ? selected : pages}
          isAll={selected.length === 0 || isAll}
          isOnline={isOnline}
          onPublished={() => setIds(new Set())}
          read={read}
        />
      </div>
      {!isOnline && (
        <p className={classes.offline} role="status">
          {t("unpublished.list.offline")}
        </p>
      )}
      <Rows label={t("unpublished.list.label")}>
        {pages.map((page) => (
          <ChangedPageRow
            key={page.id}
            page={page}
            isSelected={ids.has(page.id)}
            onSelect={(on) => select(page.id, on)}
            compare={
              <Button
                variant="default"
                aria-label={t("unpublished.list.compareOf", { title: page.name })}
                onClick={() => setCompared(page)}
              >
                {t("unpublished.list.compare")}
              </Button>
            }
          />
        ))}
      </Rows>
      {compared && (
        <PublishDialog
          courseId={courseId}
          pageId={compared.id}
          onQuestion={(question) =>
            void navigate({
              to: "/edit-page/$pageId",
              params: { pageId: compared.id },
              hash: `question-${question + 1}`,
            })
          }
          onPublished={() => void read()}
          onClose={() => setCompared(null)}
        />
      )}
    </>
  );
}
