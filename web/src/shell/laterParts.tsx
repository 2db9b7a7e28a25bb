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

/** In one chunk, because the names of all chunks and style sheets are part of the first load. */
const later = () => withTexts(import("./later"), "notices");

/** The bell. Until its code is loaded, a link to the list of notices. */
export const Bell = optional(() => later().then(({ Bell }) => Bell), <BellLink />);

export const ShellNotices = optional(() => later().then(({ ShellNotices }) => ShellNotices));

/** The drawer. If its button is pressed before the code is loaded, it opens once loaded. */
export const Drawer = optional(() => later().then(({ Drawer }) => Drawer));
