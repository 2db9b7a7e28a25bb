import { Marked, type TokenizerAndRendererExtension, type Tokens } from "marked";

const escaped = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

/** `$$…$$` on its own lines, and `$…$` inside a line. */
const blockMath: TokenizerAndRendererExtension = {
  name: "blockMath",
  level: "block",
  start: (source) => source.match(/^\$\$/m)?.index,
  tokenizer(source) {
    const found = /^\$\$([\s\S]+?)\$\$[ \t]*(?:\n|$)/.exec(source);
    return found ? { type: "blockMath", raw: found[0], latex: found[1]?.trim() } : undefined;
  },
  renderer: (token) => `<div data-type="blockMath" data-latex="${escaped(String(token.latex))}"></div>`,
};
const inlineMath: TokenizerAndRendererExtension = {
  name: "inlineMath",
  level: "inline",
  start: (source) => source.indexOf("$"),
  tokenizer(source) {
    const found = /^\$([^\s$](?:[^$\n]*[^\s$])?)\$(?!\d)/.exec(source);
    return found ? { type: "inlineMath", raw: found[0], latex: found[1] } : undefined;
  },
  renderer: (token) => `<span data-type="inlineMath" data-latex="${escaped(String(token.latex))}"></span>`,
};

const marked = new Marked({
  gfm: true,
  extensions: [blockMath, inlineMath],
  renderer: {
    // In ```rust,ignore the language comes first.
    code: ({ text, lang }: Tokens.Code) => {
      const language = /^[\w#+-]+/.exec(lang ?? "")?.[0];
      return `<pre><code${language ? ` class="language-${escaped(language)}"` : ""}>${escaped(text)}</code></pre>`;
    },
  },
});

/** Converts Markdown to HTML for `cleanHtml`. */
export function markdownToHtml(markdown: string): string {
  return marked.parse(markdown, { async: false });
}
