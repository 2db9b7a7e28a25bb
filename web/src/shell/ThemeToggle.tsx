import { useTranslation } from "../i18n/useTranslation";
import { IconButton } from "../ui/IconButton";
import { IconMoon, IconSun } from "../ui/icons";
import { setTheme, useTheme } from "../ui/theme";

export function ThemeToggle() {
  const { t } = useTranslation();
  const theme = useTheme();
  const dark = theme === "dark";
  return (
    <IconButton
      aria-label={t(dark ? "common.theme.toLight" : "common.theme.toDark")}
      onClick={() => setTheme(dark ? "light" : "dark")}
    >
      {dark ? <IconSun /> : <IconMoon />}
    </IconButton>
  );
}
