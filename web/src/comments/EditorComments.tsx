import { useSelector } from "@tanstack/react-store";
import type { Editor } from "@tiptap/core";
import { useEffect, useMemo, useState } from "react";
import { authored } from "../editor/authored";
import type { EditSession } from "../editor/EditSession";
import { useEditorState } from "../editor/useEditorState";
import { useTranslation } from "../i18n/useTranslation";
import { CommentsPanel } from "./CommentsPanel";
import { Layer } from "./Layer";
import { type OpenComments, placeOf, shortened, wordsOf } from "./openComments";
import { SelectionButton } from "./SelectionButton";
import { scrollToBlock } from "./scrollToBlock";
import type { ShownText } from "./shownText";
import type { Reader } from "./ThreadCard";
import { countsOf, marksOf, openOf } from "./threads";
import { useEditorPlaces } from "./useEditorPlaces";
import { useLayerTexts } from "./useLayerTexts";
import { useThreadActions } from "./useThreadActions";
import { useThreads } from "./useThreads";

interface Props {
  comments: OpenComments;
  session: EditSession;
  editor: Editor;
  pageId: string;
  reader: Reader;
}

/** The comments of a page that is being edited: the marks beside its text, and the panel with the threads. */
export function EditorComments({ comments, session, editor, pageId, reader }: Props) {
  const { isOpen, started } = useSelector(comments.state);
  const loaded = useThreads(pageId, { session: session.id });
  const { threads, stored, load } = loaded;
  const places = useEditorPlaces(editor, session, stored);
  const [active, setActive] = useState<string | null>(null);
  const actions = useThreadActions({
    pageId,
    load,
    text: {
      settled: async () => ((await session.settle()) ? session.saver.state.get().version : null),
      take: (saved) => session.takeSaved(authored(saved)),
    },
  });
  const { block: cursor } = useEditorState(editor, cursorOf, NOWHERE);
  const text = useMemo<ShownText>(
    () => ({
      root: editor.view.dom,
      count: () => editor.state.doc.childCount,
      blockAt: (index) => blockOf(editor, index),
      wordsOf: (index) => {
        const block = editor.state.doc.maybeChild(index);
        return block ? wordsOf(block) : "";
      },
      indexOf: (node) => indexOf(editor, node),
    }),
    [editor],
  );
  const openCount = threads && openOf(threads).length;
  useEffect(() => {
    if (openCount !== undefined) comments.setCount(openCount);
  }, [comments, openCount]);

  const { t } = useTranslation();
  const texts = useLayerTexts();
  const marks = marksOf(threads ?? [], places);
  const activeBlock = started?.place?.block ?? (isOpen && active ? (places.get(active) ?? null) : null);
  return (
    <>
      <Layer
        text={text}
        texts={texts}
        marks={countsOf(marks)}
        active={activeBlock}
        cursor={cursor}
        onOpen={(block) => comments.showFirst(marks, block)}
        onStart={(block) => {
          const place = placeOf(editor);
          const quote = shortened(text.wordsOf(block));
          comments.start(place.block === block && !editor.state.selection.empty ? place : { block, quote });
        }}
      />
      <SelectionButton text={text} label={t("comments.add")} onStart={comments.start} />
      {isOpen && (
        <CommentsPanel
          comments={comments}
          pageId={pageId}
          reader={reader}
          loaded={loaded}
          places={places}
          actions={actions}
          text={text}
          active={active}
          onActive={setActive}
          onPlace={(block) => scrollToBlock(text.blockAt(block))}
          blockAt={() => null}
          onClose={() => {
            comments.close();
            editor.commands.focus(undefined, { scrollIntoView: false });
          }}
        />
      )}
    </>
  );
}

const NOWHERE: { block: number | null } = { block: null };

function cursorOf({ isFocused, state }: Editor): { block: number | null } {
  return { block: isFocused ? state.selection.$from.index(0) : null };
}

function blockOf({ view, state: { doc } }: Editor, index: number): HTMLElement | null {
  if (index >= doc.childCount) return null;
  let at = 0;
  for (let before = 0; before < index; before += 1) at += doc.child(before).nodeSize;
  const block = view.nodeDOM(at);
  return block instanceof HTMLElement ? block : null;
}

function indexOf({ view, state: { doc } }: Editor, node: Node): number | null {
  if (node === view.dom || !view.dom.contains(node)) return null;
  const index = doc.resolve(view.posAtDOM(node, 0)).index(0);
  return index < doc.childCount ? index : null;
}
