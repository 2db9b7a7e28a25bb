import { useApolloClient } from "@apollo/client/react";
import type { Editor } from "@tiptap/core";
import { type CSSProperties, useEffect, useState } from "react";
import { useTranslation } from "../../i18n/useTranslation";
import { IconPeople } from "../../ui/laterIcons";
import classes from "./Cursors.module.css";
import { MovePageEditorDocument } from "./LivePage.generated";
import { initials, type Present, toneOf } from "./others";

/** The least time between two notes about where the cursor is. */
const BETWEEN_MS = 1000;

interface Props {
  editor: Editor;
  pageId: string;
  /** The name with which this window subscribes to the open editors. */
  session: string;
  /** The other people who have the page open. */
  present: readonly Present[];
}

/** Shows beside each block whose cursor is in it, and tells the others where this cursor is. Mounted while somebody else has the page open. */
export function Cursors({ editor, pageId, session, present }: Props) {
  const { t } = useTranslation();
  useToldCursor(editor, pageId, session);
  const tops = useBlockTops(editor, present);
  const cursors = present.map(({ id, name, isSelf, block }) => {
    const top = block === null ? undefined : tops.get(block);
    if (top === undefined) return null;
    const who = isSelf ? t("editor.presence.you") : (name ?? t("editor.presence.nameless"));
    return (
      <span
        key={id}
        className={classes.cursor}
        data-tone={toneOf(id)}
        style={{ "--k-top": `${top}px` } as CSSProperties}
        role="img"
        aria-label={t("editor.presence.atBlock", { name: who })}
        title={who}
      >
        {isSelf || name === null ? <IconPeople size={12} /> : initials(name)}
      </span>
    );
  });
  return <>{cursors}</>;
}

/** The distance of each occupied block from the top of the editor, in pixels. */
function useBlockTops(editor: Editor, present: readonly Present[]): ReadonlyMap<number, number> {
  const [tops, setTops] = useState<ReadonlyMap<number, number>>(new Map());
  useEffect(() => {
    const { dom } = editor.view;
    const measure = () => {
      const start = dom.parentElement?.parentElement?.getBoundingClientRect().top ?? 0;
      const found = new Map<number, number>();
      for (const { block } of present) {
        const element = block === null ? undefined : dom.children[block];
        if (block !== null && element) found.set(block, element.getBoundingClientRect().top - start);
      }
      setTops((known) =>
        known.size === found.size && [...found].every(([block, top]) => known.get(block) === top)
          ? known
          : found,
      );
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(dom);
    editor.on("update", measure);
    return () => {
      observer.disconnect();
      editor.off("update", measure);
    };
  }, [editor, present]);
  return tops;
}

/** Sends the block of the cursor after it has moved to another one, at most once a second. */
function useToldCursor(editor: Editor, pageId: string, session: string): void {
  const client = useApolloClient();
  useEffect(() => {
    let told: number | null = null;
    let toldAt = 0;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const tell = () => {
      timer = undefined;
      const block = editor.isFocused ? editor.state.selection.$head.index(0) : null;
      if (block === told) return;
      told = block;
      toldAt = Date.now();
      const input = { pageId, userSessionId: session, block };
      // Where the cursor is does not matter enough for an error: the next move tells it again.
      client.mutate({ mutation: MovePageEditorDocument, variables: { input } }).catch(() => {});
    };
    const onMove = () => {
      timer ??= setTimeout(tell, Math.max(0, toldAt + BETWEEN_MS - Date.now()));
    };
    onMove();
    editor.on("selectionUpdate", onMove);
    editor.on("focus", onMove);
    editor.on("blur", onMove);
    return () => {
      clearTimeout(timer);
      editor.off("selectionUpdate", onMove);
      editor.off("focus", onMove);
      editor.off("blur", onMove);
    };
  }, [client, editor, pageId, session]);
}
