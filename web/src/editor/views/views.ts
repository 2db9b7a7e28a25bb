import type { Node as TiptapNode } from "@tiptap/core";
import type { Node } from "@tiptap/pm/model";
import type { EditorView, NodeView, NodeViewConstructor } from "@tiptap/pm/view";
import { embedAddresses, readFileSrc } from "../../content/addresses";
import attachmentStyles from "../../content/blocks/Attachment.module.css";
import calloutStyles from "../../content/blocks/Callout.module.css";
import codeStyles from "../../content/blocks/CodeBlock.module.css";
import { CALLOUT_ICONS, type CalloutKind } from "../../content/blocks/callouts";
import mathStyles from "../../content/blocks/Math.module.css";
import documentStyles from "../../content/Document.module.css";
import { fileSize } from "../../content/fileSize";
import { languageLabel } from "../../content/highlight/languages";
import { whenTypesetter } from "../../content/math/useTypeset";
import { i18n } from "../../i18n";
import { drawing, el } from "./dom";
import styles from "./views.module.css";

/**
 * Node views: blocks in the editor look as on the reading page, from the same style sheets. Their attributes are edited in the panel
 * beside them (panel/).
 */

/** A node view without editable content; it redraws when the attributes change. */
function drawn(tag: "figure" | "div" | "span", draw: (node: Node) => (HTMLElement | SVGElement | string)[]) {
  return ((first: Node): NodeView => {
    const dom = el(tag, { class: styles.atom ?? "", "data-type": first.type.name, contenteditable: "false" });
    let shown = first;
    const redraw = () => dom.replaceChildren(...draw(shown));
    redraw();
    return {
      dom,
      update(node) {
        if (node.type !== shown.type) return false;
        const isOther = node.attrs !== shown.attrs;
        shown = node;
        if (isOther) redraw();
        return true;
      },
      // Events of a media player are not editing events.
      stopEvent: (event) => event.target instanceof HTMLMediaElement,
      ignoreMutation: () => true,
    };
  }) satisfies NodeViewConstructor;
}

const captionOf = (node: Node) =>
  node.attrs.caption ? [el("figcaption", { class: styles.caption ?? "" }, String(node.attrs.caption))] : [];

const image = drawn("figure", (node) => {
  const { src, alt, width, naturalWidth, naturalHeight } = node.attrs;
  const picture = el("img", {
    src: readFileSrc(src) ?? "",
    alt: alt ?? "",
    width: naturalWidth,
    height: naturalHeight,
    style: width ? `width: ${Number(width)}px` : null,
    draggable: "false",
  });
  const nudge =
    alt === null
      ? [el("span", { class: styles.nudge ?? "" }, drawing(CALLOUT_ICONS.warning), i18n.t("editor.noAlt"))]
      : [];
  return [el("span", { class: styles.picture ?? "" }, picture, ...nudge), ...captionOf(node)];
});

const video = drawn("figure", (node) => [
  el("video", {
    src: readFileSrc(node.attrs.src),
    controls: true,
    preload: "metadata",
    width: node.attrs.naturalWidth ?? 1280,
    height: node.attrs.naturalHeight ?? 720,
    "aria-label": node.attrs.caption,
  }),
  ...captionOf(node),
]);

const audio = drawn("figure", (node) => [
  el("audio", {
    src: readFileSrc(node.attrs.src),
    controls: true,
    preload: "metadata",
    "aria-label": node.attrs.caption,
  }),
  ...captionOf(node),
]);

const attachment = drawn("div", (node) => {
  const { filename, size } = node.attrs;
  const about = [
    /\.([a-z0-9]{1,5})$/i.exec(filename)?.[1]?.toUpperCase(),
    i18n.t("content.fileSize", fileSize(Number(size))),
  ];
  return [
    el(
      "div",
      { class: attachmentStyles.card ?? "" },
      drawing("M14 3v5h5M14 3H6v18h13V8zM12 11v6m-3-3 3 3 3-3"),
      el("span", { class: attachmentStyles.name ?? "" }, filename),
      el("span", { class: attachmentStyles.about ?? "" }, about.filter(Boolean).join(" · ")),
    ),
  ];
});

const embed = drawn("figure", (node) => {
  const addresses = embedAddresses(node.attrs.provider, node.attrs.id);
  return [
    el(
      "div",
      { class: styles.embed ?? "" },
      drawing("M8 5.5v13l11-6.5z"),
      el("span", {}, i18n.t("content.embed.title", { provider: addresses?.name ?? "?" })),
      el("span", { class: styles.embedAddress ?? "" }, addresses?.page ?? i18n.t("content.brokenBlock")),
    ),
    ...captionOf(node),
  ];
});

/** A typeset formula; shows its source until the typesetter is loaded, and when the formula has an error. */
function math(display: boolean): NodeViewConstructor {
  return (first: Node): NodeView => {
    const dom = el(display ? "div" : "span", {
      class: [styles.atom, styles.math, display ? mathStyles.block : mathStyles.formula].join(" "),
      "data-type": first.type.name,
      contenteditable: "false",
    });
    const formula = display ? dom.appendChild(el("span", { class: mathStyles.formula ?? "" })) : dom;
    let shown = first;
    let gone = false;
    const redraw = () => {
      const latex = String(shown.attrs.latex);
      whenTypesetter((typeset) => {
        if (gone || latex !== shown.attrs.latex) return;
        try {
          if (latex.trim() === "") throw new Error("empty");
          formula.innerHTML = typeset(latex, display);
          dom.removeAttribute("title");
        } catch {
          const empty = latex.trim() === "";
          const kind = empty ? mathStyles.pending : mathStyles.unreadable;
          formula.replaceChildren(
            el("code", { class: kind ?? "" }, empty ? i18n.t("editor.emptyFormula") : latex),
          );
          if (!empty) dom.title = i18n.t("content.brokenFormula");
        }
      });
    };
    formula.replaceChildren(el("code", { class: mathStyles.pending ?? "" }, String(first.attrs.latex)));
    redraw();
    return {
      dom,
      update(node) {
        if (node.type !== shown.type) return false;
        const isOther = node.attrs.latex !== shown.attrs.latex;
        shown = node;
        if (isOther) redraw();
        return true;
      },
      ignoreMutation: () => true,
      destroy() {
        gone = true;
      },
    };
  };
}

const codeBlock: NodeViewConstructor = (first) => {
  const caption = el("span", { class: codeStyles.caption ?? "" });
  const language = el("span", { class: codeStyles.language ?? "" });
  const bar = el("div", { class: codeStyles.bar ?? "", contenteditable: "false" }, caption, language);
  const code = el("code", { spellcheck: "false" });
  const dom = el(
    "figure",
    { class: codeStyles.frame ?? "", "data-type": "codeBlock" },
    bar,
    el("pre", { class: codeStyles.code ?? "" }, code),
  );
  const show = (node: Node) => {
    caption.textContent = node.attrs.caption ?? "";
    caption.hidden = !node.attrs.caption;
    language.textContent = languageLabel(node.attrs.language) ?? i18n.t("editor.plainCode");
  };
  show(first);
  return {
    dom,
    contentDOM: code,
    update(node) {
      if (node.type !== first.type) return false;
      show(node);
      return true;
    },
    ignoreMutation: (mutation) => mutation.type !== "selection" && !code.contains(mutation.target),
  };
};

const callout: NodeViewConstructor = (first) => {
  const title = el("div", { class: calloutStyles.title ?? "", contenteditable: "false" });
  const content = el("div", { class: styles.blocks ?? "" });
  const dom = el("div", { class: calloutStyles.callout ?? "", "data-type": "callout" }, title, content);
  const show = (node: Node) => {
    const kind = node.attrs.kind as CalloutKind;
    dom.dataset.kind = kind;
    title.replaceChildren(
      drawing(CALLOUT_ICONS[kind], calloutStyles.icon),
      i18n.t(`content.callout.${kind}`),
    );
  };
  show(first);
  return {
    dom,
    contentDOM: content,
    update(node) {
      if (node.type !== first.type) return false;
      show(node);
      return true;
    },
    ignoreMutation: (mutation) => mutation.type !== "selection" && !content.contains(mutation.target),
  };
};

const taskItem: NodeViewConstructor = (first, view, getPos) => {
  const box = el("input", {
    type: "checkbox",
    class: documentStyles.taskBox ?? "",
    "aria-label": i18n.t("editor.taskDone"),
    onmousedown: (event) => event.preventDefault(),
    onchange: () => tick(view, getPos(), box.checked),
  });
  const content = el("div");
  const dom = el("li", {}, el("span", { contenteditable: "false" }, box), content);
  box.checked = first.attrs.checked;
  return {
    dom,
    contentDOM: content,
    update(node) {
      if (node.type !== first.type) return false;
      box.checked = node.attrs.checked;
      return true;
    },
    stopEvent: (event) => event.target === box,
    ignoreMutation: (mutation) => mutation.type !== "selection" && !content.contains(mutation.target),
  };
};

function tick(view: EditorView, at: number | undefined, checked: boolean) {
  if (at !== undefined && view.editable)
    view.dispatch(view.state.tr.setNodeAttribute(at, "checked", checked));
}

/** Node views by the name of the node. */
const views = {
  image,
  video,
  audio,
  attachment,
  embed,
  blockMath: math(true),
  inlineMath: math(false),
  codeBlock,
  callout,
  taskItem,
} satisfies Record<string, NodeViewConstructor>;

/** The nodes of a schema with their node views, as extensions of an editor. */
export function withViews(nodes: Record<string, TiptapNode>): TiptapNode[] {
  return Object.values(nodes).map((node) => {
    const view = views[node.name as keyof typeof views];
    if (!view) return node;
    return node.extend({
      addNodeView: () => (props) =>
        view(props.node, props.view, props.getPos as () => number, props.decorations, props.innerDecorations),
    });
  });
}
