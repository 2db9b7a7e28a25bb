import type { Editor } from "@tiptap/core";
import { useEffect, useMemo, useState } from "react";
import type { EditSession } from "../editor/EditSession";
import { AnchorKeeper, carried } from "./anchors";
import type { Places } from "./threads";
import type { StoredPlaces } from "./useThreads";

const NOWHERE: Places = new Map();

/** The blocks of the threads in the text of an editor, which may be ahead of the server's or behind it. */
export function useEditorPlaces(editor: Editor, session: EditSession, known: StoredPlaces | null): Places {
  const keeper = useMemo(() => new AnchorKeeper(editor.state.doc), [editor]);
  const [places, setPlaces] = useState(NOWHERE);
  useEffect(() => {
    const show = () => {
      const now = keeper.places();
      setPlaces((before) => (isSame(before, now) ? before : now));
    };
    const onTransaction = ({ transaction, appendedTransactions }: TransactionEvent) => {
      for (const one of [transaction, ...appendedTransactions]) keeper.apply(one);
      if (transaction.docChanged || appendedTransactions.length > 0) show();
    };
    editor.on("transaction", onTransaction);
    let watched: { unsubscribe: () => void } | undefined;
    if (known) {
      const place = () => {
        const { version, stored } = session.saver.state.get();
        const isKnown = version === known.version;
        // In a text that is ahead of the answer, the threads stay where they were followed to.
        const followed = version > known.version ? keeper.places() : NOWHERE;
        const places = new Map([...known.places].map(([id, block]) => [id, followed.get(id) ?? block]));
        keeper.place(
          editor.state.doc,
          isKnown && stored ? carried(known.places, stored.content, session.content) : places,
        );
        show();
        return isKnown;
      };
      // The text of another author may come after the places in it.
      if (!place())
        watched = session.saver.state.subscribe(() => {
          if (session.saver.state.get().version !== known.version) return;
          watched?.unsubscribe();
          setTimeout(place, 0);
        });
    }
    return () => {
      editor.off("transaction", onTransaction);
      watched?.unsubscribe();
    };
  }, [editor, session, keeper, known]);
  return places;
}

type TransactionEvent = Parameters<Parameters<typeof Editor.prototype.on<"transaction">>[1]>[0];

function isSame(one: Places, other: Places): boolean {
  return one.size === other.size && [...one].every(([id, index]) => other.get(id) === index);
}
