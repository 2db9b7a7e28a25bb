import { useLayoutEffect } from "react";
import { useTranslation } from "../i18n/useTranslation";
import { AccountLink } from "./AccountLink";
import classes from "./GuestNotice.module.css";

/** Tells a guest above each screen that their progress is only on this device. Not while they answer a quiz. */
export function GuestNotice() {
  const { t } = useTranslation();
  // Until now the shell has kept the room free (index.html).
  useLayoutEffect(() => {
    delete document.documentElement.dataset.guest;
  }, []);
  return (
    <aside className={classes.notice} aria-label={t("join.guest.noticeLabel")}>
      <p className={classes.text}>{t("join.guest.notice")}</p>
      <p className={classes.links}>
        <AccountLink to="/signup">{t("join.guest.signUp")}</AccountLink>
        <AccountLink to="/login">{t("join.guest.signIn")}</AccountLink>
      </p>
    </aside>
  );
}
