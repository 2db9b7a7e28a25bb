import type { ApolloClient } from "@apollo/client";
import { useApolloClient, useQuery } from "@apollo/client/react";
import { useEffect } from "react";
import { isGuest } from "../api/session";
import { useTranslation } from "../i18n/useTranslation";
import { IconLeave, IconSliders, IconUpDown } from "../ui/icons";
import { useMenu } from "../ui/Menu";
import { toastFailure } from "../ui/toasts";
import { MeDocument } from "./Me.generated";
import classes from "./UserMenu.module.css";

/** The menu with the user's name, the settings and sign-out. */
export function UserMenu() {
  const { t } = useTranslation();
  const client = useApolloClient();
  const me = useQuery(MeDocument).data?.me;
  const { button, menu } = useMenu({
    label: t("shell.account"),
    items: () =>
      [
        { label: t("shell.settings"), icon: <IconSliders size={18} />, to: "/settings" as const },
        { label: t("shell.logout"), icon: <IconLeave size={18} />, onSelect: () => signOut(client) },
      ].slice(isGuest() ? 1 : 0),
  });
  // Loaded early, because signing out must also work without a network.
  useEffect(() => {
    setTimeout(
      () =>
        loadLogOut()
          .then(({ keepDevice }) => keepDevice(client))
          .catch(() => {}),
      5000,
    );
  }, [client]);
  const name = me?.fullName || me?.email;
  return (
    <>
      <button {...button} className={classes.button} aria-label={name ? undefined : t("shell.account")}>
        <span className={classes.initials} aria-hidden="true">
          {name ? initials(name) : ""}
        </span>
        <span className={classes.person}>
          <span className={classes.name}>{name ?? " "}</span>
          {me?.fullName && !isGuest() && <span className={classes.email}>{me.email}</span>}
        </span>
        <IconUpDown size={16} className={classes.arrows} />
      </button>
      {menu}
    </>
  );
}

const loadLogOut = () => import("./logOut");

/** Without the code that asks about unsaved text, the session stays. */
function signOut(client: ApolloClient) {
  loadLogOut().then(({ logOut }) => logOut(client), toastFailure);
}

/** Returns the first letters of the first two words. */
function initials(name: string): string {
  return name
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => [...word][0]?.toUpperCase() ?? "")
    .join("");
}
