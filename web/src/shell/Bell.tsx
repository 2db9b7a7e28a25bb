import { Link } from "@tanstack/react-router";
import { withTexts } from "../i18n";
import { useTranslation } from "../i18n/useTranslation";
import button from "../ui/IconButton.module.css";
import { IconBell } from "../ui/icons";
import { optional } from "../ui/optional";
import classes from "./Shell.module.css";

function BellLink() {
  const { t } = useTranslation();
  return (
    <Link to="/notices" className={`${button.button} ${classes.bell}`} aria-label={t("shell.notices")}>
      <IconBell />
    </Link>
  );
}

/** The bell with the notices; a link to them until its code is loaded. */
export const Bell = optional(
  () => withTexts(import("../notices/Bell"), "notices").then(({ Bell }) => Bell),
  <BellLink />,
);
