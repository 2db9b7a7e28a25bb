/** KaTeX with its style sheet and fonts, as one chunk for pages with math. */
import "katex/dist/katex.min.css";
import katex from "katex";

/** Typesets a formula as HTML with MathML for screen readers. Throws on invalid LaTeX. */
export function typeset(latex: string, displayMode: boolean): string {
  return katex.renderToString(latex, {
    displayMode,
    throwOnError: true,
    // Russian words in formulas are valid.
    strict: "ignore",
    // Forbids \href, \includegraphics and \htmlClass, which would bypass the content model.
    trust: false,
    // Limits on macro expansion and sizes against abusive formulas.
    maxExpand: 500,
    maxSize: 30,
  });
}
