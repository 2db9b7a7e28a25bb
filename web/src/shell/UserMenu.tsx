import { useApolloClient, useQuery } from "@apollo/client/react";
import { Link } from "@tanstack/react-router";
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { useTranslation } from "../i18n/useTranslation";
import { IconLeave, IconSliders, IconUpDown } from "../ui/icons";
import { logOut } from "./logOut";
import { MeDocument } from "./Me.generated";
import classes from "./UserMenu.module.css";

/** The menu with the user's name, the settings and sign-out. */
export function UserMenu() {
  const { t } = useTranslation();
  const client = useApolloClient();
  const me = useQuery(MeDocument).data?.me;
  const [open, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const menuId = useId();

  useEffect(() => {
    if (!open) return;
    box.current?.querySelector<HTMLElement>("[role=menuitem]")?.focus();
    const onOutside = (event: PointerEvent) => {
      if (!box.current?.contains(event.target as Node)) setOpen(false);
    };
    document.addEventListener("pointerdown", onOutside);
    return () => document.removeEventListener("pointerdown", onOutside);
  }, [open]);

  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  const onMenuKey = (event: KeyboardEvent) => {
    const items = [...(box.current?.querySelectorAll<HTMLElement>("[role=menuitem]") ?? [])];
    const at = items.indexOf(document.activeElement as HTMLElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
    if (to !== undefined) items.at(to % items.length)?.focus();
    else if (event.key === "Escape") close();
    else if (event.key === "Tab") setOpen(false);
    else return;
    if (event.key !== "Tab") event.preventDefault();
    event.stopPropagation();
  };
  const name = me?.fullName || me?.email;
  return (
    <div className={classes.box} ref={box}>
      {open && (
        <div
          className={classes.menu}
          id={menuId}
          role="menu"
          aria-label={t("shell.account")}
          onKeyDown={onMenuKey}
          tabIndex={-1}
        >
          <Link to="/settings" role="menuitem" className={classes.item} onClick={() => setOpen(false)}>
            <IconSliders size={18} />
            {t("shell.settings")}
          </Link>
          <button type="button" role="menuitem" className={classes.item} onClick={() => logOut(client)}>
            <IconLeave size={18} />
            {t("shell.logout")}
          </button>
        </div>
      )}
      <button
        ref={button}
        type="button"
        className={classes.button}
        aria-label={name ? undefined : t("shell.account")}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={open ? menuId : undefined}
        onClick={() => setOpen(!open)}
      >
        <span className={classes.initials} aria-hidden="true">
          {name ? initials(name) : ""}
        </span>
        <span className={classes.person}>
          <span className={classes.name}>{name ?? " "}</span>
          {me?.fullName && <span className={classes.email}>{me.email}</span>}
        </span>
        <IconUpDown size={16} className={classes.arrows} />
      </button>
    </div>
  );
}

/** Returns the first letters of the first two words. */
function initials(name: string): string {
  return name
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => [...word][0]?.toUpperCase() ?? "")
    .join("");
}
