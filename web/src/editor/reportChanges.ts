import type { Editor } from "@tiptap/core";
import type { Node } from "@tiptap/pm/model";

/** Marks a transaction that brings content from the server; it needs no saving. */
export const FROM_SERVER = "fromServer";

/**
 * Receives a document after the author changed it. `steps` lead there from the previously reported document, as JSON; null when only
 * the whole document describes the change.
 */
export type OnDocumentChange = (doc: Node, steps: unknown[] | null) => void;

/**
 * Reports each change of the author once. Plugins append transactions of their own (paste rules, table repair), so the document is read
 * from the editor's state and the steps are those of all transactions.
 */
export function reportChanges(editor: Editor, onChange: OnDocumentChange): void {
  let reported = editor.state.doc;
  editor.on("transaction", ({ transaction, appendedTransactions }) => {
    const { doc } = editor.state;
    const previous = reported;
    if (doc === previous) return;
    reported = doc;
    if (transaction.getMeta(FROM_SERVER)) return;
    const transactions = [transaction, ...appendedTransactions];
    // A transaction dispatched while another one is being applied to the view is reported first, and has only its own steps.
    const isNext = transaction.before === previous && transactions.at(-1)?.doc === doc;
    onChange(doc, isNext ? transactions.flatMap(({ steps }) => steps.map((step) => step.toJSON())) : null);
  });
}
