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

/** One chunk, because the names of each one and of its style sheets are part of the first load. */
const later = () => withTexts(import("./later"), "notices");

/** The bell with the notices; a link to them until its code is loaded. */
export const Bell = optional(() => later().then(({ Bell }) => Bell), <BellLink />);

export const UnsentNotice = optional(() => later().then(({ UnsentNotice }) => UnsentNotice));

/** Opened by a button; a press before its code is loaded opens it then. */
export const Drawer = optional(() => later().then(({ Drawer }) => Drawer));
