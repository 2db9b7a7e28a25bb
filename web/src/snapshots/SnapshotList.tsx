import { useApolloClient } from "@apollo/client/react";
import { Link } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { LoadFailure } from "../errors/LoadFailure";
import { QueryState } from "../errors/QueryState";
import { useTranslation } from "../i18n/useTranslation";
import { EmptyState } from "../ui/EmptyState";
import { IconHistory } from "../ui/laterIcons";
import { Row, Rows } from "../ui/Rows";
import { ListSkeleton } from "../ui/Skeletons";
import { useOnline } from "../ui/useOnline";
import { SnapshotActions } from "./SnapshotActions";
import { KeptUntil, SnapshotFacts } from "./SnapshotFacts";
import { CourseSnapshotsDocument } from "./Snapshots.generated";
import classes from "./Snapshots.module.css";
import { type Snapshot, snapshotName } from "./snapshot";
import { TakeSnapshot } from "./TakeSnapshot";
import { useSnapshots } from "./useSnapshots";

interface Props {
  courseId: string;
  onRestore: (snapshot: Snapshot) => void;
}

/** The snapshots of a course, newest first, and the form that takes one. */
export function SnapshotList({ courseId, onRestore }: Props) {
  const { t } = useTranslation();
  const client = useApolloClient();
  const isOnline = useOnline();
  const heading = useRef<HTMLHeadingElement>(null);
  const { snapshots, error, retry } = useSnapshots(courseId);
  const read = () =>
    client.refetchQueries({ include: [CourseSnapshotsDocument] }).then(
      () => {},
      () => {},
    );
  const count = snapshots?.length ?? 0;
  const lastCount = useRef(count);
  useEffect(() => {
    // The button that opened the dialog was removed with its row.
    if (count < lastCount.current && document.activeElement === document.body)
      heading.current?.focus({ preventScroll: true });
    lastCount.current = count;
  }, [count]);
  return (
    <>
      <h2 id="snapshots" className={classes.title} ref={heading} tabIndex={-1}>
        {t("snapshots.title")}
      </h2>
      <p className={classes.about}>{t("snapshots.about")}</p>
      <TakeSnapshot courseId={courseId} isOnline={isOnline} />
      {!isOnline && (
        <p className={classes.offline} role="status">
          {t("snapshots.offline")}
        </p>
      )}
      {!snapshots ? (
        <QueryState
          error={error}
          retry={retry}
          heading="p"
          loading={<ListSkeleton rows={4} height="4.25rem" />}
        />
      ) : snapshots.length === 0 ? (
        <EmptyState icon={<IconHistory size={28} />} title={t("snapshots.empty")} heading="h3">
          {t("snapshots.emptyText")}
        </EmptyState>
      ) : (
        <Rows label={t("snapshots.title")}>
          {snapshots.map((snapshot) => (
            <Row
              key={snapshot.id}
              name={
                <Link
                  to="/edit-course/$courseId"
                  params={{ courseId }}
                  search={{ tab: "snapshots", snapshot: snapshot.id }}
                >
                  {snapshotName(snapshot, t)}
                </Link>
              }
              tags={<KeptUntil snapshot={snapshot} />}
              facts={<SnapshotFacts snapshot={snapshot} />}
              tools={
                <SnapshotActions
                  snapshot={snapshot}
                  isOnline={isOnline}
                  onRestore={() => onRestore(snapshot)}
                  onRenamed={() => void read()}
                  onDeleted={read}
                />
              }
            />
          ))}
        </Rows>
      )}
      {snapshots && error !== undefined && isOnline && (
        <LoadFailure error={error} retry={retry} heading="p" />
      )}
    </>
  );
}
