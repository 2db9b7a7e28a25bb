import { useQuery } from "@apollo/client/react";
import { Link, useNavigate } from "@tanstack/react-router";
import { useEffect, useId, useRef, useState } from "react";
import { QueryState } from "../errors/QueryState";
import { formatDateTime } from "../i18n/formatDateTime";
import { useTranslation } from "../i18n/useTranslation";
import { IconUpload } from "../ui/authorIcons";
import { Button } from "../ui/Button";

import { ProgressBar } from "../ui/ProgressBar";
import { Row, Rows, Tag } from "../ui/Rows";
import { Screen } from "../ui/Screen";
import { ListSkeleton } from "../ui/Skeletons";
import { failureText } from "../ui/toasts";
import { useOnline } from "../ui/useOnline";
import { CourseToUpdateDocument, type ImportJob_JobFragment, MyImportsDocument } from "./Imports.generated";
import classes from "./Imports.module.css";
import { sendCourse } from "./sendCourse";

/** The screen that uploads a course file and lists the user's unfinished imports. */
export function ChooseCourseFile({ update }: { update?: string }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const online = useOnline();
  const [sending, setSending] = useState<{ name: string; share: number } | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const under = useRef<AbortController | null>(null);
  // Leaving the screen cancels the upload.
  useEffect(() => () => under.current?.abort(), []);
  const send = async (file: File) => {
    const controller = new AbortController();
    under.current = controller;
    setProblem(null);
    setSending({ name: file.name, share: 0 });
    try {
      const job = await sendCourse(file, {
        update,
        signal: controller.signal,
        onProgress: (share) => setSending({ name: file.name, share }),
      });
      await navigate({ to: "/import", search: { job }, replace: true });
    } catch (error) {
      setSending(null);
      if (!controller.signal.aborted) setProblem(failureText(error));
    }
  };
  const { data } = useQuery(CourseToUpdateDocument, {
    variables: { courseId: update ?? "" },
    skip: update === undefined,
  });
  const course = data?.course.title;
  return (
    <Screen
      title={t(update === undefined ? "imports.title" : "imports.update.heading")}
      lead={update === undefined ? t("imports.lead") : course && t("imports.update.lead", { course })}
    >
      <div className={classes.part}>
        {sending ? (
          <div className={classes.box} role="status">
            <p className={classes.name}>{t("imports.sending", { name: sending.name })}</p>
            <ProgressBar percent={Math.round(sending.share * 100)} label={t("imports.sent")} />
            <p className={classes.dim}>
              {sending.share < 1
                ? t("imports.percentSent", { percent: Math.round(sending.share * 100) })
                : t("imports.arriving")}
            </p>
            <Button variant="default" onClick={() => under.current?.abort()}>
              {t("ui.cancel")}
            </Button>
          </div>
        ) : (
          <Drop onChoose={(file) => void send(file)} disabled={!online} />
        )}
        {!online && (
          <p className={classes.problem} role="status">
            {t("imports.offline")}
          </p>
        )}
        {problem && (
          <p className={classes.problem} role="alert">
            {problem}
          </p>
        )}
      </div>
      {update === undefined ? <Forms /> : <KeysNote />}
      <Earlier />
    </Screen>
  );
}

function Drop({ onChoose, disabled }: { onChoose: (file: File) => void; disabled: boolean }) {
  const { t } = useTranslation();
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is an extra; the button inside does the same.
    <div
      className={classes.drop}
      data-over={over || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        const file = event.dataTransfer.files[0];
        if (file && !disabled) onChoose(file);
      }}
    >
      <p className={classes.dropText}>{t("imports.drop")}</p>
      <Button icon={<IconUpload size={18} />} onClick={() => input.current?.click()} disabled={disabled}>
        {t("imports.choose")}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={t("imports.choose")}
        onChange={(event) => {
          const file = event.currentTarget.files?.[0];
          // Resets the input, so that choosing the same file again triggers a change event.
          event.currentTarget.value = "";
          if (file) onChoose(file);
        }}
      />
    </div>
  );
}

/** Explains how the file's pages are matched to the pages of the course. */
function KeysNote() {
  const { t } = useTranslation();
  return (
    <section className={classes.part}>
      <p className={classes.note}>{t("imports.update.keys")}</p>
    </section>
  );
}

/** The list of supported formats. */
function Forms() {
  const { t } = useTranslation();
  const id = useId();
  const forms = ["markdown", "imscc", "olx", "documents", "epub", "mdbook", "quizzes", "gift"] as const;
  return (
    <section className={classes.part} aria-labelledby={id}>
      <h2 className={classes.heading} id={id}>
        {t("imports.forms.heading")}
      </h2>
      <dl className={classes.forms}>
        {forms.map((form) => (
          <div key={form}>
            <dt>{t(`imports.forms.${form}`)}</dt>
            <dd>{t(`imports.forms.${form}Text`)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** The user's imports, unfinished ones first. */
function Earlier() {
  const { t, i18n } = useTranslation();
  const id = useId();
  const { data, error, refetch } = useQuery(MyImportsDocument, { fetchPolicy: "cache-and-network" });
  const jobs = data?.myImports.nodes;
  if (!jobs)
    return (
      <QueryState
        error={error}
        retry={() => void refetch()}
        heading="h2"
        loading={<ListSkeleton rows={2} height="3.75rem" />}
      />
    );
  if (jobs.length === 0) return null;
  return (
    <section className={classes.part} aria-labelledby={id}>
      <h2 className={classes.heading} id={id}>
        {t("imports.earlier")}
      </h2>
      <Rows label={t("imports.earlier")}>
        {[...jobs]
          .sort((a, b) => Number(isOver(a)) - Number(isOver(b)))
          .map((job) => (
            <Row
              key={job.id}
              name={
                <Link to="/import" search={{ job: job.id }}>
                  {job.found?.title ?? job.filename}
                </Link>
              }
              tags={<Tag warn={job.state === "READY"}>{t(`imports.state.${job.state}`)}</Tag>}
              facts={
                <>
                  <span>{job.filename}</span>
                  <span>{formatDateTime(job.createdAt, new Date(), i18n.language, t)}</span>
                </>
              }
            />
          ))}
      </Rows>
    </section>
  );
}

export const isOver = ({ state }: Pick<ImportJob_JobFragment, "state">) =>
  state === "DONE" || state === "FAILED" || state === "CANCELLED";
