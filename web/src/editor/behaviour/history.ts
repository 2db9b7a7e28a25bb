import { UndoRedo } from "@tiptap/extensions";
import { closeHistory } from "@tiptap/pm/history";

/** Undo and redo. */
export const History = UndoRedo.extend({
  addKeyboardShortcuts() {
    // Where a key press names "z" despite Shift (macOS, Caps Lock), ProseMirror takes a redo that returns false for the undo key.
    const always = (act: () => boolean) => () => act() || true;
    const undo = always(() => this.editor.commands.undo());
    const redo = always(() => this.editor.commands.redo());
    return {
      "Mod-z": undo,
      "Shift-Mod-z": redo,
      "Mod-y": redo,
      // The same keys of a Russian keyboard.
      "Mod-я": undo,
      "Shift-Mod-я": redo,
    };
  },
  dispatchTransaction({ transaction, next }) {
    // A change of selected text is a step of its own. As part of the typing before it, it would take the typed text along.
    const isOwnStep = transaction.docChanged && !this.editor.state.selection.empty;
    next(isOwnStep ? closeHistory(transaction) : transaction);
  },
});
