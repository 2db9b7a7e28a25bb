import { Link } from "@tanstack/react-router";
import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { IconButton } from "./IconButton";
import { IconDots } from "./icons";
import classes from "./Menu.module.css";

export interface MenuItem {
  label: string;
  icon?: ReactNode;
  /** The keyboard shortcut, as displayed: «Alt+↑». */
  keys?: string | undefined;
  danger?: boolean;
  /** Shows a separator above the item. */
  apart?: boolean;
  /** The address of an item that is a link. */
  to?: string;
  onSelect?: () => void;
}

interface MenuOptions {
  /** The accessible name: «Действия со страницей «Циклы»». */
  label: string;
  /** Returns the items; called when the menu opens. */
  items: () => readonly MenuItem[];
  /** The edge of the button at which the menu is aligned. */
  align?: "start" | "end";
  /** A CSS length; the menu scrolls when it is higher. */
  maxHeight?: string;
}

const GAP = 4;

/** A menu of actions, shown in the top layer: the properties of the button that opens it, and the menu itself. */
export function useMenu({ items, ...options }: MenuOptions) {
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  return {
    button: {
      ref: button,
      type: "button",
      "aria-haspopup": "menu",
      "aria-expanded": open,
      "aria-controls": open ? id : undefined,
      onClick: () => setOpen(!open),
    } as const,
    menu: open && (
      <OpenMenu {...options} id={id} items={items()} button={button} onClose={() => setOpen(false)} />
    ),
  };
}

interface Props extends MenuOptions {
  className?: string;
  tabIndex?: number;
}

/** An icon button with a menu of actions. */
export function Menu({ className = classes.button, tabIndex, ...options }: Props) {
  const { button, menu } = useMenu(options);
  return (
    <>
      <IconButton {...button} className={className} aria-label={options.label} tabIndex={tabIndex}>
        <IconDots size={18} />
      </IconButton>
      {menu}
    </>
  );
}

interface OpenProps extends Omit<MenuOptions, "items"> {
  id: string;
  items: readonly MenuItem[];
  button: { current: HTMLButtonElement | null };
  onClose: () => void;
}

function OpenMenu({ id, label, items, align = "end", maxHeight, button, onClose }: OpenProps) {
  const menu = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const shown = menu.current;
    const from = button.current?.getBoundingClientRect();
    if (!shown || !from) return;
    shown.showPopover?.();
    shown.style.minWidth = `max(13rem, ${from.width}px)`;
    const { width, height } = shown.getBoundingClientRect();
    const below = from.bottom + GAP;
    const fits = below + height <= window.innerHeight - GAP;
    shown.style.top = `${Math.max(GAP, fits ? below : from.top - GAP - height)}px`;
    const left = align === "start" ? from.left : from.right - width;
    shown.style.left = `${Math.max(GAP, Math.min(left, window.innerWidth - width - GAP))}px`;
    shown.querySelector<HTMLElement>("[role=menuitem]")?.focus();
  }, [button, align]);

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
      style={{ maxHeight }}
      onKeyDown={onKeyDown}
      onToggle={(event) => event.newState === "closed" && onClose()}
    >
      {items.map((item, index) => (
        <Item
          // biome-ignore lint/suspicious/noArrayIndexKey: the items of an open menu do not change, and two may have the same label
          key={index}
          item={item}
          onChoose={() => {
            // Restores the focus first, because the chosen action may move it.
            button.current?.focus();
            onClose();
            item.onSelect?.();
          }}
        />
      ))}
    </div>
  );
}

function Item({ item, onChoose }: { item: MenuItem; onChoose: () => void }) {
  const { label, icon, keys, danger, apart, to } = item;
  const content = (
    <>
      {icon}
      <span className={classes.label}>{label}</span>
      {keys && (
        <span className={classes.keys} aria-hidden="true">
          {keys}
        </span>
      )}
    </>
  );
  const props = {
    role: "menuitem",
    tabIndex: -1,
    className: classes.item,
    "data-danger": danger || undefined,
    "data-apart": apart || undefined,
    onClick: (event: MouseEvent) => {
      event.stopPropagation();
      onChoose();
    },
  };
  if (to)
    return (
      <Link to={to} {...props}>
        {content}
      </Link>
    );
  return (
    <button type="button" {...props}>
      {content}
    </button>
  );
}
