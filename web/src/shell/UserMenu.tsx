import type { ApolloClient } from "@apollo/client";
import { useApolloClient, useQuery } from "@apollo/client/react";
import { endSession } from "../api/session";
import { useTranslation } from "../i18n/useTranslation";
import { IconLeave, IconSliders, IconUpDown } from "../ui/icons";
import { useMenu } from "../ui/Menu";
import { MeDocument } from "./Me.generated";
import classes from "./UserMenu.module.css";

/** The menu with the user's name, the settings and sign-out. */
export function UserMenu() {
  const { t } = useTranslation();
  const client = useApolloClient();
  const me = useQuery(MeDocument).data?.me;
  const { button, menu } = useMenu({
    label: t("shell.account"),
    items: () => [
      { label: t("shell.settings"), icon: <IconSliders size={18} />, to: "/settings" },
      { label: t("shell.logout"), icon: <IconLeave size={18} />, onSelect: () => signOut(client) },
    ],
  });
  const name = me?.fullName || me?.email;
  return (
    <>
      <button {...button} className={classes.button} aria-label={name ? undefined : t("shell.account")}>
        <span className={classes.initials} aria-hidden="true">
          {name ? initials(name) : ""}
        </span>
        <span className={classes.person}>
          <span className={classes.name}>{name ?? " "}</span>
          {me?.fullName && <span className={classes.email}>{me.email}</span>}
        </span>
        <IconUpDown size={16} className={classes.arrows} />
      </button>
      {menu}
    </>
  );
}

/** Without a network the code may be missing; the session of this device ends even then, and open forms keep their text. */
function signOut(client: ApolloClient) {
  void import("./logOut").then(({ logOut }) => logOut(client), endSession);
}

/** Returns the first letters of the first two words. */
function initials(name: string): string {
  return name
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => [...word][0]?.toUpperCase() ?? "")
    .join("");
}
