import { useEffect, useState } from "react";
import { useTranslation } from "../i18n/useTranslation";
import { IconClose, IconSearch } from "../ui/icons";
import classes from "./FoundNote.module.css";

/** Says that the place of a search result is marked, and removes the marks. */
export function FoundNote({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  // Screen readers announce text that is added to a status.
  const [isSaid, setSaid] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSaid(true), 50);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className={classes.note} role="status">
      {isSaid && (
        <>
          <IconSearch size={16} />
          <span>{t("palette.marked")}</span>
          <button type="button" className={classes.close} onClick={onClose} aria-keyshortcuts="Escape">
            <span className={classes.label}>{t("palette.unmark")}</span>
            <span className={classes.key} aria-hidden="true">
              Esc
            </span>
            <IconClose size={16} />
          </button>
        </>
      )}
    </div>
  );
}
