import { useApolloClient, useMutation, useQuery, useSubscription } from "@apollo/client/react";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { ApiError } from "../api/apiError";
import { LoadFailure } from "../errors/LoadFailure";
import { NotFoundScreen } from "../errors/NotFound";
import { useTranslation } from "../i18n/useTranslation";
import { Button, ButtonLink } from "../ui/Button";
import { ProgressBar } from "../ui/ProgressBar";
import { Screen } from "../ui/Screen";
import { ListSkeleton } from "../ui/Skeletons";
import { toastFailure } from "../ui/toasts";
import { isOver } from "./ChooseCourseFile";
import { ConfirmPart } from "./ConfirmPart";
import {
  CancelImportDocument,
  type ImportJob_JobFragment,
  ImportJobDocument,
  ImportProgressDocument,
} from "./Imports.generated";
import classes from "./Imports.module.css";
import { ReportPart } from "./ReportPart";
import { TreePart } from "./TreePart";

/** Polling interval in milliseconds, in case the subscription delivers nothing. */
const POLL_MS = 3000;

/** The screen of one import: its progress, the content found, and the form that confirms it. */
export function ImportJob({ jobId }: { jobId: string }) {
  const { t, i18n } = useTranslation();
  const navigate = useNavigate();
  const client = useApolloClient();
  const { data, error, refetch, startPolling, stopPolling } = useQuery(ImportJobDocument, {
    variables: { jobId },
    fetchPolicy: "cache-and-network",
  });
  const job = data?.importJob;
  const isUnfinished = job?.state === "WAITING" || job?.state === "RUNNING";
  // Events update the cache, and the query above renders them.
  useSubscription(ImportProgressDocument, { variables: { jobId }, skip: !isUnfinished });
  useEffect(() => {
    if (isUnfinished) startPolling(POLL_MS);
    else stopPolling();
    return stopPolling;
  }, [isUnfinished, startPolling, stopPolling]);
  // Opens the course only when this screen was open while the import was being stored.
  const stored = useRef(false);
  useEffect(() => {
    if (isUnfinished && job?.stage === "STORING") stored.current = true;
    if (job?.state !== "DONE" || !job.courseId) return;
    // The cached course is stale; after an update so are its pages.
    client.cache.evict({ id: `Course:${job.courseId}` });
    if (job.mode === "UPDATE") {
      const known = Object.keys(client.cache.extract() as object);
      for (const id of known.filter((id) => id.startsWith("Page:"))) client.cache.evict({ id });
    }
    if (stored.current) {
      void navigate({ to: "/edit-course/$courseId", params: { courseId: job.courseId }, replace: true });
    }
  }, [client, isUnfinished, job, navigate]);
  if (error && !job) {
    if (ApiError.from(error).status === 404) return <NotFoundScreen />;
    return (
      <Screen title={t("imports.title")}>
        <LoadFailure error={error} retry={() => void refetch()} heading="h2" />
      </Screen>
    );
  }
  if (!job) {
    return (
      <Screen title={t("imports.title")}>
        <div className={classes.part}>
          <ListSkeleton rows={4} height="3.75rem" />
        </div>
      </Screen>
    );
  }
  return (
    <Screen title={job.found?.title ?? t("imports.title")} lead={t("imports.from", { name: job.filename })}>
      <ImportStatus job={job} />
      {/* Stays while the file is read again with other headings. */}
      {(job.state === "READY" || (isUnfinished && job.stage === "READING")) && job.found && (
        <ConfirmPart job={job} />
      )}
      {job.found && (
        <>
          <Counts found={job.found} />
          {/* Its texts are in the language of the request. */}
          <ReportPart key={`${i18n.language} ${job.headings} ${job.startsAt}`} job={job} found={job.found} />
          <TreePart key={job.headings} job={job} />
        </>
      )}
    </Screen>
  );
}

/** The state of an import and the actions it allows. */
function ImportStatus({ job }: { job: ImportJob_JobFragment }) {
  const { t } = useTranslation();
  const { done, total, file } = job.progress;
  const [cancel, { loading }] = useMutation(CancelImportDocument, { onError: toastFailure });
  const isUnfinished = job.state === "WAITING" || job.state === "RUNNING";
  const what =
    job.state === "RUNNING"
      ? t(job.stage === "STORING" && total === 0 ? storing(job) : "imports.reading")
      : t(
          job.mode === "UPDATE" && hasUpdateText(job.state)
            ? `imports.update.${job.state}`
            : `imports.stateText.${job.state}`,
        );
  const percent = total > 0 ? Math.min(100, Math.round((100 * done) / total)) : null;
  return (
    <div className={classes.box} data-kind={job.state}>
      <p className={classes.name} role={job.state === "FAILED" ? "alert" : "status"}>
        {what}
      </p>
      {job.failure && <p className={classes.failure}>{job.failure}</p>}
      {job.state === "RUNNING" && <ProgressBar percent={percent} label={t("imports.read")} />}
      {job.state === "RUNNING" && percent !== null && (
        <p className={classes.dim}>{t("imports.progress", { done, total, file })}</p>
      )}
      {isUnfinished && <p className={classes.dim}>{t("imports.mayLeave")}</p>}
      <div className={classes.tools}>
        {job.state === "DONE" && job.courseId && (
          <ButtonLink to="/edit-course/$courseId" params={{ courseId: job.courseId }}>
            {t("imports.open")}
          </ButtonLink>
        )}
        {isOver(job) ? (
          <ButtonLink
            to="/import"
            search={job.mode === "UPDATE" && job.intoCourseId ? { update: job.intoCourseId } : {}}
            variant="default"
          >
            {t("imports.another")}
          </ButtonLink>
        ) : (
          <Button
            variant="default"
            loading={loading}
            onClick={() => void cancel({ variables: { input: { jobId: job.id } } })}
          >
            {t("imports.cancel")}
          </Button>
        )}
      </div>
    </div>
  );
}

const storing = ({ mode }: ImportJob_JobFragment) =>
  mode === "UPDATE" ? "imports.update.storing" : "imports.storing";

/** The states that have their own text for an update. */
const hasUpdateText = (state: ImportJob_JobFragment["state"]): state is "READY" | "DONE" | "CANCELLED" =>
  state === "READY" || state === "DONE" || state === "CANCELLED";

function Counts({ found }: { found: NonNullable<ImportJob_JobFragment["found"]> }) {
  const { t } = useTranslation();
  const kinds = ["modules", "lessons", "pages", "questions", "files"] as const;
  return (
    <ul className={classes.counts} aria-label={t("imports.found")}>
      {kinds
        .filter((kind) => found[kind] > 0)
        .map((kind) => (
          <li key={kind}>{t(`imports.counts.${kind}`, { count: found[kind] })}</li>
        ))}
    </ul>
  );
}
