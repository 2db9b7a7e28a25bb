import { useQuery } from "@apollo/client/react";
import { flushSync } from "react-dom";
import { PageDiff } from "../editor/compare/PageDiff";
import { dateAndTime } from "../editor/dateAndTime";
import { QueryState } from "../errors/QueryState";
import { useTranslation } from "../i18n/useTranslation";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { TextSkeleton } from "../ui/Skeletons";
import { useOnline } from "../ui/useOnline";
import { TextReadDocument } from "./ChangedNote.generated";
import classes from "./ChangesSinceRead.module.css";

interface Props {
  pageId: string;
  /** Marks the page as read again; null where nothing can be changed. */
  onReread: (() => void) | null;
  onClose: () => void;
}

/** The dialog that compares the text that the learner read with the one of now. */
export default function ChangesSinceRead({ pageId, onReread, onClose }: Props) {
  const { t, i18n } = useTranslation();
  const isOnline = useOnline();
  const { data, error, refetch } = useQuery(TextReadDocument, {
    variables: { id: pageId },
    // The cache has the change without the text read.
    fetchPolicy: "no-cache",
  });
  const page = data?.page;
  const change = page?.changeSinceRead;
  const at = (iso: string) => dateAndTime(iso, i18n.language, t);
  return (
    <Dialog
      open
      wide="full"
      onClose={onClose}
      title={t("learning.changed.title")}
      actions={
        <>
          <Button variant="default" onClick={onClose} data-autofocus>
            {t("ui.close")}
          </Button>
          {onReread && (
            <Button
              disabled={!isOnline}
              title={isOnline ? undefined : t("learning.changed.offline")}
              onClick={() => {
                // First, because a modal dialog keeps the focus inside.
                flushSync(onClose);
                onReread();
              }}
            >
              {t("learning.changed.reread")}
            </Button>
          )}
        </>
      }
    >
      {!page ? (
        <QueryState
          error={error}
          retry={() => void refetch().catch(() => undefined)}
          heading="p"
          loading={<TextSkeleton lines={8} />}
        />
      ) : !change?.before ? (
        <p>{t("learning.changed.gone")}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: long texts are scrolled by keys
        <section className={classes.content} aria-label={t("learning.changed.title")} tabIndex={0}>
          <PageDiff
            before={{
              heading: t("learning.changed.before"),
              about: t("learning.changed.readAt", { when: at(change.readAt) }),
              title: change.before.title,
              content: change.before.content,
            }}
            after={{
              heading: t("learning.changed.after"),
              about: t("learning.changed.changedAt", { when: at(change.changedAt) }),
              title: page.title,
              content: page.content,
            }}
          />
        </section>
      )}
    </Dialog>
  );
}
