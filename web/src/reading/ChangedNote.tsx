import { lazy, Suspense, useId, useState } from "react";
import { withTexts } from "../i18n";
import { useTranslation } from "../i18n/useTranslation";
import { usePreview } from "../preview/context";
import { Button } from "../ui/Button";
import { toastFailure } from "../ui/toasts";
import { useOnline } from "../ui/useOnline";
import classes from "./ChangedNote.module.css";
import type { Page } from "./ReadingPage";
import { useMarkReread } from "./useMarkReread";

const loadChanges = () => withTexts(import("./ChangesSinceRead"), "learning");
const ChangesSinceRead = lazy(loadChanges);

interface Props {
  page: Page;
  change: NonNullable<Page["changeSinceRead"]>;
}

/** Tells a learner that the page has changed since they read it, shows what has, and ends when they have read it again. */
export function ChangedNote({ page, change }: Props) {
  const { t } = useTranslation();
  const isPreview = usePreview() !== null;
  const isOnline = useOnline();
  const offlineId = useId();
  const [comparing, setComparing] = useState(false);
  const markReread = useMarkReread(page);
  const isImportant = change.importance === "IMPORTANT";
  return (
    <section className={classes.note} aria-label={t("learning.changed.label")}>
      <p className={classes.text} data-important={isImportant || undefined}>
        {t(isImportant ? "learning.changed.important" : "learning.changed.text")}
      </p>
      <div className={classes.actions}>
        {change.before && (
          <Button
            variant="default"
            // Opened when it is loaded: until then the page stays as it is.
            onClick={() => void loadChanges().then(() => setComparing(true), toastFailure)}
          >
            {t("learning.changed.compare")}
          </Button>
        )}
        {!isPreview && (
          <>
            <Button
              variant="subtle"
              disabled={!isOnline}
              aria-describedby={isOnline ? undefined : offlineId}
              onClick={markReread}
            >
              {t("learning.changed.reread")}
            </Button>
            <p id={offlineId} role="status" className={classes.offline}>
              {!isOnline && t("learning.changed.offline")}
            </p>
          </>
        )}
      </div>
      {comparing && (
        <Suspense>
          <ChangesSinceRead
            pageId={page.id}
            onReread={isPreview ? null : markReread}
            onClose={() => setComparing(false)}
          />
        </Suspense>
      )}
    </section>
  );
}
