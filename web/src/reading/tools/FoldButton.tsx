import { useSelector } from "@tanstack/react-store";
import { useEffect } from "react";
import { useTranslation } from "../../i18n/useTranslation";
import { IconButton } from "../../ui/IconButton";
import { IconSidebar } from "../../ui/laterIcons";
import classes from "./FoldButton.module.css";
import { folded, foldKeys, isFoldKey, toggleFold } from "./fold";

/** Folds the sidebar and shows it again. It is one button for both, so that it keeps the focus. */
export function FoldButton() {
  const { t } = useTranslation();
  const isFolded = useSelector(folded);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      // A text editor may handle the shortcut itself, and an open dialog covers the sidebar.
      if (!isFoldKey(event) || event.defaultPrevented || document.querySelector("dialog[open]")) return;
      event.preventDefault();
      // The focus would be lost with the sidebar.
      if (document.activeElement?.closest("aside"))
        document.getElementById("main")?.focus({ preventScroll: true });
      toggleFold();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);
  return (
    <IconButton
      className={classes.fold}
      aria-label={t("onPage.sidebar")}
      aria-expanded={!isFolded}
      aria-keyshortcuts="Control+\ Meta+\"
      title={t(isFolded ? "onPage.unfold" : "onPage.fold", { keys: foldKeys() })}
      onClick={toggleFold}
    >
      <IconSidebar />
    </IconButton>
  );
}
