import { useApolloClient, useQuery } from "@apollo/client/react";
import { Link, useNavigate } from "@tanstack/react-router";
import { ApiError } from "../api/apiError";
import { QueryState } from "../errors/QueryState";
import { useTranslation } from "../i18n/useTranslation";
import type { Look } from "../outline/look";
import { ButtonLink } from "../ui/Button";
import { EmptyState } from "../ui/EmptyState";
import { IconHistory } from "../ui/laterIcons";
import { TextSkeleton } from "../ui/Skeletons";
import { Tabs } from "../ui/Tabs";
import { useOnline } from "../ui/useOnline";
import { SnapshotActions } from "./SnapshotActions";
import { CHANGES, SnapshotChanges } from "./SnapshotChanges";
import { SnapshotContents } from "./SnapshotContents";
import { KeptUntil, SnapshotFacts } from "./SnapshotFacts";
import { CourseSnapshotsDocument, SnapshotOutlineDocument } from "./Snapshots.generated";
import classes from "./Snapshots.module.css";
import { type Snapshot, snapshotName } from "./snapshot";

interface Props {
  courseId: string;
  id: string;
  look: Look;
  /** How often the course has been restored since the tab was opened. */
  restorings: number;
  onRestore: (snapshot: Snapshot) => void;
}

/** One snapshot of a course: its contents, and how it differs. */
export function SnapshotScreen({ courseId, id, look, restorings, onRestore }: Props) {
  const { t } = useTranslation();
  const client = useApolloClient();
  const navigate = useNavigate();
  const isOnline = useOnline();
  const { data, error, refetch } = useQuery(SnapshotOutlineDocument, {
    variables: { id },
    fetchPolicy: "no-cache",
  });
  const { snapshot, outline = [] } = data?.courseSnapshot ?? {};
  // An invalid id (422) is shown like a deleted snapshot, and so is the snapshot of another course.
  const isGone = snapshot
    ? snapshot.courseId !== courseId
    : error !== undefined && [404, 422].includes(ApiError.from(error).status);
  const isComparing = look.view === CHANGES;
  const leave = async () => {
    await navigate({
      to: "/edit-course/$courseId",
      params: { courseId },
      search: { tab: "snapshots" },
      replace: true,
    });
    await client.refetchQueries({ include: [CourseSnapshotsDocument] }).catch(() => undefined);
  };
  const back = (
    <Link
      to="/edit-course/$courseId"
      params={{ courseId }}
      search={{ tab: "snapshots" }}
      className={classes.back}
    >
      {t("snapshots.back")}
    </Link>
  );
  if (isGone)
    return (
      <>
        <h2 id="snapshots" className={classes.title} tabIndex={-1}>
          {t("snapshots.title")}
        </h2>
        <EmptyState
          icon={<IconHistory size={28} />}
          title={t("snapshots.gone.title")}
          heading="h3"
          action={
            <ButtonLink to="/edit-course/$courseId" params={{ courseId }} search={{ tab: "snapshots" }}>
              {t("snapshots.back")}
            </ButtonLink>
          }
        >
          {t("snapshots.gone.text")}
        </EmptyState>
      </>
    );
  const address = { tab: "snapshots", snapshot: id } as const;
  return (
    <>
      {back}
      <header className={classes.header}>
        <div className={classes.words}>
          <h2 id="snapshots" className={classes.title} tabIndex={-1}>
            {snapshot ? snapshotName(snapshot, t) : t("snapshots.title")}{" "}
            {snapshot && <KeptUntil snapshot={snapshot} />}
          </h2>
          <p className={classes.facts}>{snapshot ? <SnapshotFacts snapshot={snapshot} /> : "\u00a0"}</p>
        </div>
        {snapshot && (
          <div className={classes.tools}>
            <SnapshotActions
              snapshot={snapshot}
              isOnline={isOnline}
              isMain
              onRestore={() => onRestore(snapshot)}
              onRenamed={() => void refetch().catch(() => undefined)}
              onDeleted={leave}
            />
          </div>
        )}
      </header>
      {!isOnline && (
        <p className={classes.offline} role="status">
          {t("snapshots.offline")}
        </p>
      )}
      <div className={classes.views}>
        <Tabs label={t("snapshots.views.label")}>
          {[false, true].map((compares) => (
            <Link
              key={String(compares)}
              to="/edit-course/$courseId"
              params={{ courseId }}
              search={compares ? { ...address, view: CHANGES } : address}
              activeOptions={{ exact: true }}
              aria-current={compares === isComparing ? "page" : undefined}
              resetScroll={false}
            >
              {t(compares ? "snapshots.views.changes" : "snapshots.views.contents")}
            </Link>
          ))}
        </Tabs>
      </div>
      {!snapshot ? (
        <QueryState
          error={error}
          retry={() => void refetch().catch(() => undefined)}
          heading="p"
          loading={<TextSkeleton lines={8} />}
        />
      ) : isComparing ? (
        <SnapshotChanges key={restorings} courseId={courseId} snapshot={snapshot} since={look.since} />
      ) : (
        <SnapshotContents courseId={courseId} id={id} outline={outline} wanted={look.page} />
      )}
    </>
  );
}
