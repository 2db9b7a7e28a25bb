import { Extension, InputRule } from "@tiptap/core";
import { NodeSelection } from "@tiptap/pm/state";
import { readHref } from "../../content/addresses";
import { insertBlock } from "./blocks";

/** Input rules of the page editor, in addition to those of its nodes and marks. */
export const Rules = Extension.create({
  name: "rules",
  addInputRules() {
    const { schema } = this.editor;
    return [
      // `[words](address)` becomes a link.
      new InputRule({
        find: /\[([^[\]]+)\]\(([^\s()]+)\)$/,
        handler: ({ state, range, match }) => {
          const [, words = "", href = ""] = match;
          const mark = schema.marks.link?.create({ href });
          if (!mark || !readHref(href)) return null;
          state.tr.replaceWith(range.from, range.to, schema.text(words, [mark])).removeStoredMark(mark);
        },
      }),
      // An address becomes a link when a space follows it.
      new InputRule({
        find: /(?:^|\s)(https?:\/\/[^\s]+[^\s.,;:!?)\]»"'])([.,;:!?)\]»"']*\s)$/,
        handler: ({ state, range, match }) => {
          const [whole, href = "", after = ""] = match;
          const mark = schema.marks.link?.create({ href });
          if (!mark || !readHref(href)) return null;
          const start = range.from + whole.indexOf(href);
          state.tr
            .insertText(after.slice(-1), range.to)
            .addMark(start, start + href.length, mark)
            .removeStoredMark(mark);
        },
      }),
      // `$formula$` becomes a formula in the line.
      new InputRule({
        find: /(?:^|[\s(«])\$([^$\s](?:[^$]*[^$\s])?)\$$/,
        handler: ({ state, range, match }) => {
          const [whole, latex = ""] = match;
          const node = schema.nodes.inlineMath?.create({ latex });
          if (!node) return null;
          state.tr.replaceWith(range.from + whole.indexOf("$"), range.to, node);
        },
      }),
      // `$$` alone on its line becomes a formula block.
      new InputRule({
        find: /^\$\$\s$/,
        handler: ({ state, range }) => {
          const node = schema.nodes.blockMath?.create({ latex: "" });
          if (!node) return null;
          const $at = state.doc.resolve(range.from);
          if (!$at.node(-1).canReplaceWith($at.index(-1), $at.indexAfter(-1), node.type)) return null;
          state.tr.setSelection(NodeSelection.create(state.tr.doc, $at.before()));
          insertBlock(state.tr, node, true);
        },
      }),
      // `!!!`, as in some Markdown dialects, or `[!tip]` becomes a callout.
      new InputRule({
        find: /^(?:!!!|\[!(note|tip|warning|danger)\])\s$/i,
        handler: ({ chain, range, match }) => {
          if (!schema.nodes.callout) return;
          const kind = match[1]?.toLowerCase() ?? "note";
          chain().deleteRange(range).wrapIn("callout", { kind }).run();
        },
      }),
    ];
  },
});
