import { Extension } from "@tiptap/core";
import { Plugin } from "@tiptap/pm/state";
import { Decoration, DecorationSet } from "@tiptap/pm/view";
import { i18n } from "../../i18n";

/** Shows a hint in the empty line of the cursor. Inspects that line alone, so its cost does not depend on the length of the page. */
export const Placeholder = Extension.create({
  name: "placeholder",
  addProseMirrorPlugins() {
    return [
      new Plugin({
        props: {
          decorations({ doc, selection: { $from, empty } }) {
            const { parent } = $from;
            if (!empty || parent.content.size > 0 || !parent.isTextblock || parent.type.spec.code)
              return null;
            const text = placeholderOf(parent.type.name, $from.depth);
            if (!text) return null;
            return DecorationSet.create(doc, [
              Decoration.node($from.before(), $from.after(), { "data-placeholder": text }),
            ]);
          },
        },
      }),
    ];
  },
});

function placeholderOf(type: string, depth: number): string | null {
  if (type === "heading") return i18n.t("editor.placeholder.heading");
  if (type === "detailsSummary") return i18n.t("editor.placeholder.summary");
  return type === "paragraph" && depth === 1 ? i18n.t("editor.placeholder.paragraph") : null;
}
