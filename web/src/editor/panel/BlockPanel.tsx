import { autoUpdate, computePosition, flip, hide, offset, shift } from "@floating-ui/dom";
import type { Editor } from "@tiptap/core";
import { type KeyboardEvent, useEffect, useLayoutEffect, useRef } from "react";
import { createPortal } from "react-dom";
import { useTranslation } from "../../i18n/useTranslation";
import { unwrap } from "../behaviour/keys";
import { EditorIcon } from "../toolbar/icons";
import { useEditorState } from "../useEditorState";
import styles from "./BlockPanel.module.css";
import { CalloutFields, DetailsFields, TableFields } from "./ContainerFields";
import {
  AttachmentFields,
  CodeFields,
  EmbedFields,
  ImageFields,
  MathFields,
  MediaFields,
} from "./LeafFields";
import { remove, type Target, targetOf } from "./target";

/**
 * The settings of a block: a bar beside it while it is selected or contains the cursor. F2 moves the focus into it, Escape back.
 */
export function BlockPanel({ editor }: { editor: Editor | null }) {
  const { t } = useTranslation();
  const target = useEditorState<Target | null>(editor, targetOf, null, sameTarget);
  const panel = useRef<HTMLElement>(null);
  const at = target ? `${target.type}-${target.pos}` : "";

  useLayoutEffect(() => {
    if (!editor || !panel.current || at === "") return;
    const pos = Number(at.split("-")[1]);
    const block = editor.view.nodeDOM(pos);
    if (!(block instanceof HTMLElement)) return;
    return follow(block, panel.current);
  }, [editor, at]);

  useEffect(() => {
    const field = editor && !editor.isDestroyed ? editor.view.dom : null;
    if (!field) return;
    const onKey = (event: globalThis.KeyboardEvent) => {
      if (event.key !== "F2") return;
      const first = panel.current?.querySelector<HTMLElement>("input, textarea, select, button");
      if (!first) return;
      event.preventDefault();
      first.focus();
    };
    field.addEventListener("keydown", onKey);
    return () => field.removeEventListener("keydown", onKey);
  }, [editor]);

  if (!editor || !target) return null;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape") return;
    event.preventDefault();
    event.stopPropagation();
    editor.commands.focus();
  };
  const isWrapper = target.type === "callout" || target.type === "details";
  return createPortal(
    <section
      ref={panel}
      className={styles.panel}
      aria-label={t(`editor.panel.of.${target.type}`)}
      onKeyDown={onKeyDown}
      data-panel={target.type}
    >
      <Fields key={at} editor={editor} target={target} />
      <span className={styles.actions}>
        {isWrapper && (
          <button
            type="button"
            className={styles.button}
            onClick={() => unwrap(editor.state, editor.view.dispatch, target.pos)}
          >
            {t("editor.panel.unwrap")}
          </button>
        )}
        <button
          type="button"
          className={styles.icon}
          aria-label={t("editor.panel.remove")}
          title={t("editor.panel.remove")}
          onClick={() => remove(editor, target)}
        >
          <EditorIcon name="trash" size={18} />
        </button>
      </span>
    </section>,
    document.body,
  );
}

/** Whether two targets show the same settings, so that the panel renders again only when they differ. */
function sameTarget(before: Target | null, now: Target | null): boolean {
  // Typing inside a block replaces its node but keeps its attributes.
  return before?.type === now?.type && before?.pos === now?.pos && before?.node.attrs === now?.node.attrs;
}

export interface FieldsProps {
  editor: Editor;
  target: Target;
}

function Fields(props: FieldsProps) {
  switch (props.target.type) {
    case "image":
      return <ImageFields {...props} />;
    case "video":
    case "audio":
      return <MediaFields {...props} />;
    case "attachment":
      return <AttachmentFields {...props} />;
    case "embed":
      return <EmbedFields {...props} />;
    case "blockMath":
    case "inlineMath":
      return <MathFields {...props} />;
    case "codeBlock":
      return <CodeFields {...props} />;
    case "callout":
      return <CalloutFields {...props} />;
    case "details":
      return <DetailsFields {...props} />;
    case "table":
      return <TableFields {...props} />;
  }
}

/** Positions the panel below the block, or above it without room below; never over the bars at the top. */
function follow(block: HTMLElement, panel: HTMLElement): () => void {
  return autoUpdate(block, panel, () => {
    void computePosition(block, panel, {
      strategy: "fixed",
      placement: "bottom-start",
      middleware: [
        offset(8),
        flip({ padding: { top: 120, bottom: 8 }, fallbackPlacements: ["top-start"] }),
        shift({ padding: 8 }),
        hide({ padding: { top: 100 } }),
      ],
    }).then(({ x, y, middlewareData }) => {
      // The panel goes with its block; while one of its fields has the focus it stays.
      const isAway = middlewareData.hide?.referenceHidden && !panel.contains(document.activeElement);
      panel.toggleAttribute("data-away", isAway ?? false);
      panel.style.transform = `translate(${Math.round(x)}px, ${Math.round(y)}px)`;
    });
  });
}
