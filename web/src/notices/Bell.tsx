import { useSubscription } from "@apollo/client/react";
import { useSelector } from "@tanstack/react-store";
import { type KeyboardEvent, useId, useRef, useState } from "react";
import { RegionBoundary } from "../errors/SomethingWentWrong";
import { useTranslation } from "../i18n/useTranslation";
import shell from "../shell/Shell.module.css";
import { IconButton } from "../ui/IconButton";
import { IconBell } from "../ui/icons";
import { VisuallyHidden } from "../ui/VisuallyHidden";
import classes from "./Bell.module.css";
import { NoticesChangedDocument } from "./Notices.generated";
import { Panel } from "./Panel";
import { noticeState, reportChange, setUnread, shownUnread } from "./state";
import { badgeText, countText } from "./texts";
import { useKeepClock } from "./useKeepClock";

/** The button with the number of unread notices, and its panel: a popover that Escape or a click outside closes. */
export function Bell() {
  const { t } = useTranslation();
  const bell = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLElement>(null);
  const panelId = useId();
  const [isOpen, setOpen] = useState(false);
  const [announced, setAnnounced] = useState("");
  const unread = useSelector(noticeState, shownUnread);
  useKeepClock();
  useSubscription(NoticesChangedDocument, {
    fetchPolicy: "no-cache",
    ignoreResults: true,
    onData: ({ data: { data } }) => {
      if (!data) return;
      const { unread, newest } = data.notices;
      const before = noticeState.get().unread;
      setUnread(unread);
      // The first event is the current state.
      if (before !== null) reportChange();
      // After a reconnection, only a larger number shows that notices have arrived.
      if (newest || (before !== null && unread > before))
        setAnnounced(t("notices.arrived", { shown: countText(shownUnread(noticeState.get()), t) }));
    },
  });
  const close = () => panel.current?.hidePopover?.();
  return (
    <>
      <IconButton
        ref={bell}
        className={shell.bell}
        popoverTarget={panelId}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        aria-label={
          unread > 0
            ? t("notices.unread", { count: unread, shown: countText(unread, t) })
            : t("shell.notices")
        }
      >
        <IconBell />
        {unread > 0 && (
          <span className={classes.badge} aria-hidden="true">
            {badgeText(unread, t)}
          </span>
        )}
      </IconButton>
      <VisuallyHidden>
        <span aria-live="polite">{announced}</span>
      </VisuallyHidden>
      <section
        ref={panel}
        id={panelId}
        popover="auto"
        // While closed it is empty, and not a dialog.
        role={isOpen ? "dialog" : undefined}
        aria-label={t("shell.notices")}
        className={classes.panel}
        onKeyDown={moveByArrows}
        // Moving the focus out closes the panel, because it would cover the focused element.
        onBlur={({ currentTarget, relatedTarget }) => {
          // The bell toggles the panel itself.
          if (relatedTarget && relatedTarget !== bell.current && !currentTarget.contains(relatedTarget))
            close();
        }}
        // Its content is rendered before it opens, and removed after the focus has returned to the bell.
        onBeforeToggle={(event) => event.newState === "open" && setOpen(true)}
        onToggle={(event) => {
          if (event.newState === "closed") setOpen(false);
          else panel.current?.querySelector("h2")?.focus();
        }}
      >
        {isOpen && (
          <RegionBoundary>
            <Panel onClose={close} />
          </RegionBoundary>
        )}
      </section>
    </>
  );
}

/** The arrow keys move through the notices of the panel. */
function moveByArrows(event: KeyboardEvent<HTMLElement>) {
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>("li a")];
  const at = links.indexOf(document.activeElement as HTMLElement);
  const to = { ArrowDown: at + 1, ArrowUp: Math.max(at - 1, 0), Home: 0, End: links.length - 1 }[event.key];
  const link = to === undefined ? undefined : links[to];
  if (!link) return;
  event.preventDefault();
  link.focus();
}
