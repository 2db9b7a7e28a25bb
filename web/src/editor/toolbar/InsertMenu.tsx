import { autoUpdate, computePosition, flip, offset, shift, size } from "@floating-ui/dom";
import type { Editor } from "@tiptap/core";
import {
  type HTMLAttributes,
  type KeyboardEvent,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { createPortal } from "react-dom";
import { useTranslation } from "../../i18n/useTranslation";
import { InsertOption } from "./InsertOption";
import { EditorIcon } from "./icons";
import { type DialogOpeners, INSERTS } from "./inserts";
import menu from "./menu.module.css";
import styles from "./Toolbar.module.css";

interface Props {
  editor: Editor | null;
  dialogs: DialogOpeners;
  control: HTMLAttributes<HTMLButtonElement>;
}

/** The button «Вставить», which opens the same menu as the slash. */
export function InsertMenu({ editor, dialogs, control }: Props) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const id = useId();

  useLayoutEffect(() => {
    const [anchor, floating] = [button.current, list.current];
    if (!open || !anchor || !floating) return;
    return float(anchor, floating);
  }, [open]);
  useEffect(() => {
    if (!open) return;
    list.current?.querySelector<HTMLElement>("[role=menuitem]")?.focus();
    const onOutside = (event: PointerEvent) => {
      if (!list.current?.contains(event.target as Node) && !button.current?.contains(event.target as Node))
        setOpen(false);
    };
    document.addEventListener("pointerdown", onOutside);
    return () => document.removeEventListener("pointerdown", onOutside);
  }, [open]);

  const onKeyDown = (event: KeyboardEvent) => {
    const items = [...(list.current?.querySelectorAll<HTMLElement>("[role=menuitem]") ?? [])];
    const at = items.indexOf(document.activeElement as HTMLElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
    if (to !== undefined) items.at(to % items.length)?.focus();
    else if (event.key === "Escape" || event.key === "Tab") {
      setOpen(false);
      button.current?.focus();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <>
      <button
        ref={button}
        type="button"
        className={styles.button}
        data-wide
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => setOpen(!open)}
        {...control}
      >
        <EditorIcon name="plus" />
        {t("editor.insertMenu")}
      </button>
      {open &&
        createPortal(
          <div
            ref={list}
            id={id}
            className={menu.menu}
            role="menu"
            tabIndex={-1}
            aria-label={t("editor.insertMenu")}
            onKeyDown={onKeyDown}
          >
            {INSERTS.map((insert) => (
              <button
                key={insert.id}
                type="button"
                role="menuitem"
                tabIndex={-1}
                className={menu.option}
                onClick={() => {
                  setOpen(false);
                  if (!editor) return;
                  editor.commands.focus();
                  insert.do(editor, dialogs);
                }}
              >
                <InsertOption insert={insert} />
              </button>
            ))}
          </div>,
          document.body,
        )}
    </>
  );
}

const TALLEST_PX = 384;

/** Positions a menu beside its anchor and inside the window. */
export function float(
  anchor: Element | { getBoundingClientRect: () => DOMRect },
  floating: HTMLElement,
): () => void {
  const updatePosition = () =>
    computePosition(anchor as Element, floating, {
      strategy: "fixed",
      placement: "bottom-start",
      middleware: [
        offset(6),
        flip({ padding: 8 }),
        shift({ padding: 8 }),
        size({
          padding: 8,
          apply: ({ availableHeight }) => {
            floating.style.maxHeight = `${Math.max(160, Math.min(availableHeight, TALLEST_PX, 0.45 * window.innerHeight))}px`;
          },
        }),
      ],
    }).then(({ x, y }) => {
      floating.style.transform = `translate(${Math.round(x)}px, ${Math.round(y)}px)`;
    });
  if (anchor instanceof Element) return autoUpdate(anchor, floating, () => void updatePosition());
  void updatePosition();
  return () => {};
}
