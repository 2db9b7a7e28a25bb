import { Mark } from "@tiptap/core";
import { Bold } from "@tiptap/extension-bold";
import { Code as TiptapCode } from "@tiptap/extension-code";
import { Highlight } from "@tiptap/extension-highlight";
import { Italic } from "@tiptap/extension-italic";
import { Strike } from "@tiptap/extension-strike";
import { Subscript } from "@tiptap/extension-subscript";
import { Superscript } from "@tiptap/extension-superscript";
import { Underline } from "@tiptap/extension-underline";
import { readHref } from "../../content/addresses";
import documentStyles from "../../content/Document.module.css";
import { carried, text } from "./attributes";

/** Does not exclude other marks, because text is often both code and a link. */
const Code = TiptapCode.extend({ excludes: "" });

/** Attributes that the model allows and the app does not use. */
const kept = (name: string) => carried(name, null, text(255));

const Link = Mark.create({
  name: "link",
  // Text typed after a link is not part of it.
  inclusive: false,
  addAttributes: () => ({
    href: {
      default: "",
      // The clipboard carries a link to a page twice: as `data-href`, and as an address that other programs understand.
      parseHTML: (element) => element.getAttribute("data-href") ?? element.getAttribute("href") ?? "",
      renderHTML: ({ href }) => ({ href: outwardHref(String(href)), "data-href": String(href) }),
    },
    target: kept("target"),
    rel: kept("rel"),
    class: kept("class"),
    title: kept("title"),
  }),
  parseHTML: () => [
    {
      tag: "a[href]",
      getAttrs: (element) =>
        readHref(element.getAttribute("data-href") ?? element.getAttribute("href")) ? null : false,
    },
  ],
  renderHTML: ({ HTMLAttributes }) => ["a", { ...HTMLAttributes, class: documentStyles.link }, 0],
});

function outwardHref(href: string): string {
  const target = readHref(href);
  return target?.kind === "page" ? `/view-page/${target.pageId}` : href;
}

export const marks = {
  Link,
  Bold,
  Italic,
  Underline,
  Strike,
  Highlight,
  Subscript,
  Superscript,
  Code,
};
