import { type ReactNode, useMemo, useState } from "react";
import { useTranslation } from "../i18n/useTranslation";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { TextSkeleton } from "../ui/Skeletons";
import { failureText, toastSuccess } from "../ui/toasts";
import type { ChangedPage } from "./changedPages";
import { allEffects } from "./choice";
import dialogClasses from "./PublishDialog.module.css";
import { PublishOptions } from "./PublishOptions";
import classes from "./UnpublishedList.module.css";
import { usePublishing } from "./usePublishing";

interface Props {
  courseId: string;
  pages: readonly ChangedPage[];
  /** How many of the chosen pages are incomplete, and stay as they are. */
  left: number;
  onPublished: () => void;
  /** Called with the pages that are no longer as they were listed. Nothing was published then. */
  onConflict: (pages: readonly ChangedPage[]) => void;
  onClose: () => void;
}

/** How many titles the question lists. */
const SHOWN = 8;

/** Asks how the changes of several pages are published, and publishes them. */
export function PublishSomeDialog({ courseId, pages, left, onPublished, onConflict, onClose }: Props) {
  const { t } = useTranslation();
  // What the author was asked about stays the same while the list is read again.
  const [asked] = useState(pages);
  const effect = useMemo(() => allEffects(asked.map((page) => page.effect)), [asked]);
  const shown = useMemo(() => asked.map((page) => page.shown), [asked]);
  const publishing = usePublishing(courseId, shown, effect);
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);

  const publish = async () => {
    if (busy || !publishing.mayPublish) return;
    setBusy(true);
    setRefusal(null);
    try {
      const { conflicts, consequences, regrade } = await publishing.publish();
      if (conflicts.length > 0) {
        const ids = new Set(conflicts.map(({ id }) => id));
        onConflict(asked.filter(({ id }) => ids.has(id)));
        onClose();
      } else if (!consequences) {
        toastSuccess(
          regrade
            ? t("unpublished.publishing.done.regraded", { count: regrade.changed })
            : t("unpublished.list.done", { count: asked.length }),
        );
        onPublished();
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
      wide
      onClose={() => !busy && onClose()}
      title={t("unpublished.list.confirmTitle", { count: asked.length })}
      actions={
        <>
          <Button variant="default" onClick={onClose} disabled={busy} data-autofocus>
            {t("ui.cancel")}
          </Button>
          <Button onClick={() => void publish()} loading={busy} aria-disabled={!publishing.mayPublish}>
            {t("unpublished.publish")}
          </Button>
        </>
      }
    >
      {publishing.isShown ? (
        <div className={dialogClasses.content}>
          {refusal !== null && (
            <p className={dialogClasses.danger} role="alert">
              {refusal}
            </p>
          )}
          <PublishOptions publishing={publishing} />
          <Titles pages={asked}>{left > 0 && <p>{t("unpublished.list.left", { count: left })}</p>}</Titles>
        </div>
      ) : (
        <TextSkeleton lines={8} />
      )}
    </Dialog>
  );
}

function Titles({ pages, children }: { pages: readonly ChangedPage[]; children: ReactNode }) {
  const { t } = useTranslation();
  return (
    <div className={classes.asked}>
      <p>{t("unpublished.list.confirmText")}</p>
      <ul className={classes.titles}>
        {pages.slice(0, SHOWN).map(({ id, name }) => (
          <li key={id}>{name}</li>
        ))}
        {pages.length > SHOWN && <li>{t("unpublished.list.more", { count: pages.length - SHOWN })}</li>}
      </ul>
      {children}
    </div>
  );
}
