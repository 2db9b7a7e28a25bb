import { useTranslation } from "../i18n/useTranslation";
import { IconMoon, IconSun } from "../ui/icons";
import { setTheme, useTheme } from "../ui/theme";
import classes from "./controls.module.css";

export function ThemeToggle() {
  const { t } = useTranslation();
  const theme = useTheme();
  const dark = theme === "dark";
  return (
    <button
      type="button"
      className={classes.square}
      aria-label={t(dark ? "common.theme.toLight" : "common.theme.toDark")}
      onClick={() => setTheme(dark ? "light" : "dark")}
    >
      {dark ? <IconSun /> : <IconMoon />}
    </button>
  );
}
