import { useApolloClient } from "@apollo/client/react";
import { useSelector } from "@tanstack/react-store";
import { useEffect, useLayoutEffect, useState } from "react";
import { createPortal } from "react-dom";
import documentClasses from "../content/Document.module.css";
import { useTranslation } from "../i18n/useTranslation";
import { useOnline } from "../ui/useOnline";
import classes from "./Ticks.module.css";
import { sendLeftTicks, shownTicks, tickKey, tickTask, unsentTicks } from "./ticks";

interface Props {
  page: { id: string; version: number; content: unknown };
  holder: HTMLElement;
  userId: string;
  /** The items that the server has as ticked, in the version of the text that is on the screen. */
  ticked: readonly number[];
}

/** An item of a task list: the author's checkmark, and the place of the reader's. */
interface Item {
  slot: HTMLElement;
  textId: string;
}

/**
 * The boxes that readers tick in the task lists of a page. They take the places of the author's checkmarks, which the text has before this code
 * is loaded.
 */
export function Ticks({ page, holder, userId, ticked }: Props) {
  const { t } = useTranslation();
  const client = useApolloClient();
  const isOnline = useOnline();
  const unsent = useSelector(unsentTicks);
  const [items, setItems] = useState<readonly Item[]>([]);
  useEffect(() => sendLeftTicks(client, userId), [client, userId]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the boxes are those of another text when the content changes
  useLayoutEffect(() => {
    let shown: { item: Item; author: HTMLElement }[] = [];
    const find = () => {
      const boxes = [
        ...holder.querySelectorAll<HTMLInputElement>(
          `li > input.${documentClasses.taskBox}:not([data-kept])`,
        ),
      ];
      if (boxes.length === shown.length && boxes.every((box, at) => box === shown[at]?.author)) return;
      clear();
      shown = boxes.map((author) => {
        const slot = document.createElement("span");
        slot.dataset.kept = "";
        slot.className = classes.slot ?? "";
        author.before(slot);
        author.hidden = true;
        return { author, item: { slot, textId: author.getAttribute("aria-labelledby") ?? "" } };
      });
      setItems(shown.map(({ item }) => item));
    };
    const clear = () => {
      for (const { item, author } of shown) {
        item.slot.remove();
        author.hidden = false;
      }
    };
    find();
    // A long text shows its first screen first.
    const changes = new MutationObserver(find);
    changes.observe(holder, { childList: true, subtree: true });
    return () => {
      changes.disconnect();
      clear();
    };
  }, [holder, page.content]);
  const shown = shownTicks(page, ticked, unsent);
  return (
    <>
      {items.map(({ slot, textId }, task) => {
        const at = { pageId: page.id, version: page.version, task };
        const isWaiting = !isOnline && unsent.has(tickKey(at));
        return createPortal(
          <input
            type="checkbox"
            data-kept
            className={`${documentClasses.taskBox} ${classes.box}`}
            checked={shown.has(task)}
            aria-labelledby={textId}
            title={isWaiting ? t("notes.tickWaits") : undefined}
            data-waiting={isWaiting || undefined}
            onChange={({ target }) => tickTask(client, userId, { ...at, isTicked: target.checked })}
          />,
          slot,
          textId,
        );
      })}
    </>
  );
}
