import { useTranslation } from "react-i18next";
import { openPalette } from "../palette/PaletteHost";
import { IconSearch } from "../ui/icons";
import classes from "./SearchButton.module.css";

const ON_MAC = /Mac|iPhone|iPad/.test(navigator.platform);

/** Opens the palette, and tells who looks at it by which keys. */
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
      <span className={classes.words}>{t("palette.open")}</span>
      <span className={classes.keys} aria-hidden="true">
        {ON_MAC ? "⌘K" : "Ctrl K"}
      </span>
    </button>
  );
}
