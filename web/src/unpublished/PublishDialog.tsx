import { useMemo, useState } from "react";
import { PageDiff } from "../editor/compare/PageDiff";
import { LoadFailure } from "../errors/LoadFailure";
import { useTranslation } from "../i18n/useTranslation";
import { MissingList } from "../quiz-builder/MissingList";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { TextSkeleton } from "../ui/Skeletons";
import { failureText, toastSuccess } from "../ui/toasts";
import { quizEffect } from "./choice";
import classes from "./PublishDialog.module.css";
import { PublishOptions } from "./PublishOptions";
import { usePublishing } from "./usePublishing";
import { type ShownPage, useShownPage } from "./useShownPage";

interface Props {
  courseId: string;
  pageId: string;
  /** Called before the changes are read; resolves to whether everything written in this window is on the server. */
  settle?: () => Promise<boolean>;
  /** Leads to a question of the quiz by its index. */
  onQuestion: (question: number) => void;
  /** The changes are published; `version` is that of the page. */
  onPublished: (version: number) => void;
  onClose: () => void;
}

/** Shows what publishing the changes of a page changes for learners, and publishes them. */
export default function PublishDialog({ courseId, pageId, settle, onQuestion, onPublished, onClose }: Props) {
  const { t } = useTranslation();
  const { shown, error, isUnsaved, read } = useShownPage(pageId, settle);
  /** What the dialog showed when the server found another text. */
  const [earlier, setEarlier] = useState<ShownPage | null>(null);
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const { changes } = shown ?? {};
  const isComplete = changes !== undefined && changes !== null && changes.missing.length === 0;
  const effect = useMemo(() => quizEffect(shown?.text.quiz, shown?.changes?.text.quiz), [shown]);
  const one = shown && isComplete && { pageId, version: changes.version, pageVersion: shown.version };
  const publishing = usePublishing(courseId, one ? [one] : null, effect);
  const isReady = isComplete && publishing.mayPublish;

  const publish = async () => {
    if (!shown || !isReady || busy) return;
    setBusy(true);
    setRefusal(null);
    try {
      const { pages, conflicts, consequences, regrade } = await publishing.publish();
      if (conflicts.length > 0) {
        setEarlier(shown);
        await read();
      } else if (!consequences) {
        onPublished(pages[0]?.version ?? changes.version);
        toastSuccess(
          regrade
            ? t("unpublished.publishing.done.regraded", { count: regrade.changed })
            : t("unpublished.dialog.published"),
        );
        onClose();
      }
    } catch (failure) {
      setRefusal(failureText(failure));
    } finally {
      setBusy(false);
    }
  };

  return (
    <Dialog
      open
      wide="full"
      onClose={onClose}
      title={t("unpublished.dialog.title")}
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            {t("ui.cancel")}
          </Button>
          {/* Reachable while the texts load, so that Enter works as soon as they are shown. */}
          <Button data-autofocus onClick={() => void publish()} loading={busy} aria-disabled={!isReady}>
            {t("unpublished.publish")}
          </Button>
        </>
      }
    >
      {error ? (
        <LoadFailure error={error} retry={() => void read()} heading="p" />
      ) : isUnsaved ? (
        <div className={classes.note} role="alert">
          <p>{t("unpublished.cannotSave")}</p>
          <Button variant="default" onClick={() => void read()}>
            {t("common.retry")}
          </Button>
        </div>
      ) : !shown || !publishing.isShown ? (
        <TextSkeleton lines={8} />
      ) : !changes ? (
        <p>{t(earlier ? "unpublished.since.discarded" : "unpublished.dialog.nothing")}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: long texts are scrolled by keys
        <section className={classes.content} aria-label={t("unpublished.dialog.title")} tabIndex={0}>
          {refusal !== null && (
            <p className={classes.danger} role="alert">
              {t("unpublished.dialog.refused", { message: refusal })}
            </p>
          )}
          {earlier && <Since earlier={earlier} shown={shown} />}
          {!earlier && changes.isBehind && <p className={classes.warn}>{t("unpublished.behind.warning")}</p>}
          {changes.missing.length > 0 && (
            <div className={classes.warn} role="status">
              <p>{t("unpublished.dialog.missing")}</p>
              <MissingList
                missing={changes.missing}
                isAssignment={shown.kind === "ASSIGNMENT"}
                leadTo={(question, content) => (
                  <button
                    type="button"
                    onClick={() => {
                      onClose();
                      onQuestion(question);
                    }}
                  >
                    {content}
                  </button>
                )}
              />
            </div>
          )}
          {isComplete && <PublishOptions publishing={publishing} />}
          <PageDiff
            key={`${shown.version} ${changes.version}`}
            before={{
              heading: t("unpublished.dialog.now"),
              about: t("unpublished.dialog.aboutNow", { moment: shown.at }),
              ...shown.text,
            }}
            after={{ heading: t("unpublished.dialog.after"), about: changes.about, ...changes.text }}
          />
        </section>
      )}
    </Dialog>
  );
}

/** What has changed since the dialog was opened: the changes themselves or, if they are the same, the published text. */
function Since({ earlier, shown }: { earlier: ShownPage; shown: ShownPage }) {
  const { t } = useTranslation();
  const isDraft = earlier.changes?.version !== shown.changes?.version;
  const [before, after] = isDraft ? [earlier.changes, shown.changes] : [earlier, shown];
  return (
    <>
      <p className={classes.warn} role="alert">
        {t("unpublished.since.text")}
      </p>
      {before && after && (
        <section aria-labelledby="since">
          <h3 id="since" className={classes.heading}>
            {t("unpublished.since.heading")}
          </h3>
          <PageDiff
            key={`${before.version} ${after.version}`}
            before={{ heading: t("unpublished.since.before"), about: before.about, ...before.text }}
            after={{ heading: t("unpublished.since.after"), about: after.about, ...after.text }}
          />
        </section>
      )}
      <h3 className={classes.heading}>{t("unpublished.since.whole")}</h3>
    </>
  );
}
