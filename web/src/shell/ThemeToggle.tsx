import { useMantineColorScheme } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { IconMoon, IconSun } from "../ui/icons";
import classes from "./controls.module.css";

export function ThemeToggle() {
  const { t } = useTranslation();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const dark = colorScheme === "dark";
  return (
    <button
      type="button"
      className={classes.square}
      aria-label={t(dark ? "common.theme.toLight" : "common.theme.toDark")}
      onClick={() => setColorScheme(dark ? "light" : "dark")}
    >
      {dark ? <IconSun /> : <IconMoon />}
    </button>
  );
}
