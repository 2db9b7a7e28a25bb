import { useQuery } from "@apollo/client/react";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { pageTitle } from "../course/pageTitle";
import { dateAndTime } from "../editor/dateAndTime";
import { QueryState } from "../errors/QueryState";
import { useTranslation } from "../i18n/useTranslation";
import { Button } from "../ui/Button";
import { EmptyState } from "../ui/EmptyState";
import { IconCheck } from "../ui/icons";
import { Select } from "../ui/Select";
import { ListSkeleton } from "../ui/Skeletons";
import { ChangeLists } from "./ChangeLists";
import { ComparedPage } from "./ComparedPage";
import { SnapshotChangesDocument } from "./Snapshots.generated";
import classes from "./Snapshots.module.css";
import { useSettled } from "./settleEdits";
import {
  hasChanges,
  isComparable,
  type Part,
  type Sides,
  type Snapshot,
  sidesOf,
  snapshotName,
} from "./snapshot";
import { useSnapshots } from "./useSnapshots";

/** The view of a snapshot that compares it. */
export const CHANGES = "changes";

interface Props {
  courseId: string;
  snapshot: Snapshot;
  /** The other snapshot; undefined for the course as it is now. */
  since: string | undefined;
}

/** What differs between a snapshot and the course, or another snapshot. */
export function SnapshotChanges({ courseId, snapshot, since }: Props) {
  const { t, i18n } = useTranslation();
  const navigate = useNavigate();
  const { snapshots, error, retry } = useSnapshots(courseId);
  const other = snapshots?.find(({ id }) => id === since) ?? null;
  const isKnown = since === undefined || snapshots !== undefined;
  return (
    <>
      <div className={classes.other}>
        <Select
          label={t("snapshots.compare.with")}
          value={other?.id ?? ""}
          onChange={({ currentTarget: { value } }) =>
            void navigate({
              to: "/edit-course/$courseId",
              params: { courseId },
              search: {
                tab: "snapshots",
                snapshot: snapshot.id,
                view: CHANGES,
                ...(value && { since: value }),
              },
              replace: true,
              resetScroll: false,
            })
          }
          options={[
            { value: "", label: t("snapshots.compare.asNow") },
            ...(snapshots ?? [])
              .filter(({ id }) => id !== snapshot.id)
              .map((one) => ({
                value: one.id,
                label: t("snapshots.compare.snapshot", {
                  name: snapshotName(one, t),
                  moment: dateAndTime(one.takenAt, i18n.language, t),
                }),
              })),
          ]}
        />
      </div>
      {isKnown ? (
        <Compared key={other?.id} courseId={courseId} sides={sidesOf(snapshot, other)} />
      ) : (
        <QueryState
          error={error}
          retry={retry}
          heading="p"
          loading={<ListSkeleton rows={4} height="3.75rem" />}
        />
      )}
    </>
  );
}

function Compared({ courseId, sides }: { courseId: string; sides: Sides }) {
  const { t } = useTranslation();
  const { from, to } = sides;
  const isSettled = useSettled(courseId);
  const [page, setPage] = useState<Part | null>(null);
  const { data, error, refetch } = useQuery(SnapshotChangesDocument, {
    variables: { id: to.id, since: from?.id ?? null },
    fetchPolicy: "no-cache",
    skip: !isSettled,
  });
  const changes = data?.courseSnapshot.changes;
  if (!changes)
    return (
      <QueryState
        error={error}
        retry={() => void refetch().catch(() => undefined)}
        heading="p"
        loading={<ListSkeleton rows={4} height="3.75rem" />}
      />
    );
  if (!hasChanges(changes))
    return (
      <EmptyState icon={<IconCheck size={28} />} title={t("snapshots.compare.same")} heading="h3">
        {t(from ? "snapshots.compare.sameSnapshots" : "snapshots.compare.sameCourse")}
      </EmptyState>
    );
  return (
    <>
      <p className={classes.about}>
        {from
          ? t("snapshots.compare.fromTo", { from: snapshotName(from, t), to: snapshotName(to, t) })
          : t("snapshots.compare.fromCourse")}
      </p>
      <ChangeLists
        changes={changes}
        mode={from ? "snapshots" : "course"}
        tools={(part, group) => {
          if (part.part !== "PAGE") return null;
          const title = pageTitle(part, t);
          // The side that has the page.
          const holder = group === "removed" ? from : to;
          if (group === "changed")
            return !isComparable(part) ? null : (
              <Button
                variant="default"
                aria-label={t("snapshots.compare.buttonOf", { title })}
                onClick={() => setPage(part)}
              >
                {t("snapshots.compare.button")}
              </Button>
            );
          if (group === "moved") return null;
          return holder ? (
            <Link
              to="/edit-course/$courseId"
              params={{ courseId }}
              search={{ tab: "snapshots", snapshot: holder.id, page: part.id }}
              className={classes.look}
              aria-label={t("snapshots.compare.lookAt", { title })}
            >
              {t("snapshots.compare.look")}
            </Link>
          ) : (
            <Link
              to="/edit-page/$pageId"
              params={{ pageId: part.id }}
              className={classes.look}
              aria-label={t("snapshots.compare.lookAt", { title })}
            >
              {t("snapshots.compare.look")}
            </Link>
          );
        }}
      />
      {page && <ComparedPage page={page} sides={sides} onClose={() => setPage(null)} />}
    </>
  );
}
