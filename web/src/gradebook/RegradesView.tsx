import { useMutation, useQuery } from "@apollo/client/react";
import { Link } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { pageTitle } from "../course/pageTitle";
import { dateAndTime } from "../editor/dateAndTime";
import { QueryState } from "../errors/QueryState";
import { useTranslation } from "../i18n/useTranslation";
import { Button } from "../ui/Button";
import { ConfirmDialog } from "../ui/ConfirmDialog";
import { EmptyState } from "../ui/EmptyState";
import { IconCheck } from "../ui/icons";
import { Row, Rows, Tag } from "../ui/Rows";
import { ListSkeleton } from "../ui/Skeletons";
import { useOnline } from "../ui/useOnline";
import { type RegradeRowFragment, RegradesDocument, UndoRegradeDocument } from "./Regrades.generated";
import classes from "./RegradesView.module.css";

/** The regrades of the last 30 days: who, when, which pages, and a way to undo each. */
export default function RegradesView({ courseId }: { courseId: string }) {
  const { t } = useTranslation();
  const isOnline = useOnline();
  const { data, error, refetch } = useQuery(RegradesDocument, {
    variables: { id: courseId },
    fetchPolicy: "cache-and-network",
  });
  // Undoing the last regrade of a page makes the one before it undoable.
  const [undo] = useMutation(UndoRegradeDocument, { refetchQueries: [RegradesDocument] });
  const heading = useRef<HTMLHeadingElement>(null);
  const [asked, setAsked] = useState<RegradeRowFragment | null>(null);
  /** How many results the last undoing left as they were; null before. */
  const [left, setLeft] = useState<number | null>(null);
  const regrades = data?.course.regrades;
  useEffect(() => {
    // The button that opened the question is gone.
    if (left !== null && asked === null) heading.current?.focus({ preventScroll: true });
  }, [left, asked]);
  return (
    <section className={classes.view} aria-labelledby="regrades">
      <h2 id="regrades" className={classes.title} ref={heading} tabIndex={-1}>
        {t("students.regrades.title")}
      </h2>
      <p className={classes.about}>{t("students.regrades.about")}</p>
      {/* In the document before it has a text, so that it is read out. */}
      <div role="status">
        {left !== null && (
          <p className={classes.note}>
            {t("students.regrades.undone")}
            {left > 0 && ` ${t("students.regrades.left", { count: left })}`}
          </p>
        )}
      </div>
      {!regrades ? (
        <QueryState
          error={error}
          retry={() => void refetch().catch(() => undefined)}
          heading="p"
          loading={<ListSkeleton rows={3} height="4.5rem" />}
        />
      ) : regrades.length === 0 ? (
        <EmptyState icon={<IconCheck size={28} />} title={t("students.regrades.empty")} heading="h3">
          {t("students.regrades.emptyText")}
        </EmptyState>
      ) : (
        <Rows label={t("students.regrades.title")}>
          {regrades.map((regrade) => (
            <RegradeRow
              key={regrade.id}
              regrade={regrade}
              isOnline={isOnline}
              onUndo={() => setAsked(regrade)}
            />
          ))}
        </Rows>
      )}
      <ConfirmDialog
        open={asked !== null}
        onClose={() => setAsked(null)}
        title={t("students.regrades.confirmTitle")}
        confirm={t("students.regrades.undo")}
        onConfirm={async () => {
          if (!asked) return;
          const { data } = await undo({ variables: { input: { regradeId: asked.id } } });
          setLeft(data?.undoRegrade.left ?? 0);
        }}
      >
        <p>{t("students.regrades.confirmText", { count: asked?.changed ?? 0 })}</p>
        <p>{t("students.regrades.confirmLeft")}</p>
      </ConfirmDialog>
    </section>
  );
}

interface Props {
  regrade: RegradeRowFragment;
  isOnline: boolean;
  onUndo: () => void;
}

function RegradeRow({ regrade, isOnline, onUndo }: Props) {
  const { t, i18n } = useTranslation();
  const { at, by, pages, attempts, changed, undoneAt, undoUntil, isUndoable } = regrade;
  const moment = (iso: string) => dateAndTime(iso, i18n.language, t);
  const names = pages.map((page) => pageTitle(page, t));
  return (
    <Row
      name={
        <span>
          {pages.map((page, index) => (
            <span key={page.id}>
              {index > 0 && ", "}
              <Link to="/edit-page/$pageId" params={{ pageId: page.id }}>
                {names[index]}
              </Link>
            </span>
          ))}
        </span>
      }
      tags={
        undoneAt !== null && <Tag quiet>{t("students.regrades.isUndone", { when: moment(undoneAt) })}</Tag>
      }
      facts={
        <>
          <span>
            {t("students.regrades.by", {
              name: by?.fullName ?? t("students.regrades.someone"),
              when: moment(at),
            })}
          </span>
          <span>
            {t("students.regrades.attempts", { count: attempts })}
            {", "}
            {t("students.regrades.changed", { count: changed })}
          </span>
          {undoneAt === null && (
            <span>
              {isUndoable
                ? t("students.regrades.until", { when: moment(undoUntil) })
                : Date.parse(undoUntil) > Date.now()
                  ? t("students.regrades.followed")
                  : t("students.regrades.tooLate")}
            </span>
          )}
        </>
      }
      tools={
        isUndoable && (
          <Button
            variant="default"
            disabled={!isOnline}
            aria-label={t("students.regrades.undoOf", { pages: names.join(", ") })}
            onClick={onUndo}
          >
            {t("students.regrades.undo")}
          </Button>
        )
      }
    />
  );
}
