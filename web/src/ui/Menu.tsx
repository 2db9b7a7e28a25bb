import { type KeyboardEvent, type ReactNode, useId, useLayoutEffect, useRef, useState } from "react";
import { IconDots } from "./icons";
import classes from "./Menu.module.css";

export interface MenuItem {
  label: string;
  icon?: ReactNode;
  /** The keyboard shortcut, as displayed: «Alt+↑». */
  keys?: string;
  danger?: boolean;
  /** Shows a separator above the item. */
  apart?: boolean;
  onSelect: () => void;
}

interface Props {
  /** The accessible name of the button: «Действия со страницей «Циклы»». */
  label: string;
  /** Returns the items; called when the menu opens. */
  items: () => readonly MenuItem[];
  children?: ReactNode;
  className?: string;
  tabIndex?: number;
}

const GAP = 4;

/** A button with a menu of actions, shown in the top layer. */
export function Menu({ label, items, children, className = classes.button, tabIndex }: Props) {
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  return (
    <>
      <button
        ref={button}
        type="button"
        className={className}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        tabIndex={tabIndex}
        onClick={() => setOpen(!open)}
      >
        {children ?? <IconDots size={18} />}
      </button>
      {open && (
        <OpenMenu id={id} label={label} items={items()} button={button} onClose={() => setOpen(false)} />
      )}
    </>
  );
}

interface OpenProps {
  id: string;
  label: string;
  items: readonly MenuItem[];
  button: { current: HTMLButtonElement | null };
  onClose: () => void;
}

function OpenMenu({ id, label, items, button, onClose }: OpenProps) {
  const menu = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const shown = menu.current;
    const from = button.current?.getBoundingClientRect();
    if (!shown || !from) return;
    shown.showPopover?.();
    const { width, height } = shown.getBoundingClientRect();
    const below = from.bottom + GAP;
    const fits = below + height <= window.innerHeight - GAP;
    shown.style.top = `${Math.max(GAP, fits ? below : from.top - GAP - height)}px`;
    shown.style.left = `${Math.max(GAP, Math.min(from.right - width, window.innerWidth - width - GAP))}px`;
    shown.querySelector<HTMLElement>("[role=menuitem]")?.focus();
  }, [button]);

  const onKeyDown = (event: KeyboardEvent) => {
    // The elements behind the menu must not handle its keys.
    event.stopPropagation();
    const all = [...(menu.current?.querySelectorAll<HTMLElement>("[role=menuitem]") ?? [])];
    const at = all.indexOf(document.activeElement as HTMLElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
    if (to !== undefined) {
      event.preventDefault();
      all.at(to % all.length)?.focus();
    } else if (event.key === "Escape" || event.key === "Tab") {
      event.preventDefault();
      button.current?.focus();
      onClose();
    }
  };
  return (
    <div
      ref={menu}
      id={id}
      popover="auto"
      role="menu"
      aria-label={label}
      tabIndex={-1}
      className={classes.menu}
      onKeyDown={onKeyDown}
      onToggle={(event) => event.newState === "closed" && onClose()}
    >
      {items.map((item) => (
        <button
          key={item.label}
          type="button"
          role="menuitem"
          tabIndex={-1}
          className={classes.item}
          data-danger={item.danger || undefined}
          data-apart={item.apart || undefined}
          onClick={(event) => {
            event.stopPropagation();
            // Restores the focus first, because the chosen action may move it.
            button.current?.focus();
            onClose();
            item.onSelect();
          }}
        >
          {item.icon}
          <span className={classes.label}>{item.label}</span>
          {item.keys && (
            <span className={classes.keys} aria-hidden="true">
              {item.keys}
            </span>
          )}
        </button>
      ))}
    </div>
  );
}
