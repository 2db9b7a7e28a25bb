import { useTranslation } from "../i18n/useTranslation";
import { openPalette } from "../palette/PaletteHost";
import { IconSearch } from "../ui/icons";
import classes from "./SearchButton.module.css";

const ON_MAC = /Mac|iPhone|iPad/.test(navigator.platform);

/** The button that opens the command palette and shows its keyboard shortcut. */
export function SearchButton() {
  const { t } = useTranslation();
  return (
    <button
      type="button"
      className={classes.button}
      onClick={openPalette}
      aria-keyshortcuts="Control+K Meta+K"
    >
      <IconSearch size={18} />
      <span className={classes.words}>{t("shell.search")}</span>
      <span className={classes.keys} aria-hidden="true">
        {ON_MAC ? "⌘K" : "Ctrl K"}
      </span>
    </button>
  );
}
