/** Everything a page with math needs in one chunk: the typesetter, its style sheet and, through that, its fonts. */
import "katex/dist/katex.min.css";
import katex from "katex";

/** The formula as HTML with MathML beside it for screen readers. Throws on LaTeX that cannot be read. */
export function typeset(latex: string, displayMode: boolean): string {
  return katex.renderToString(latex, {
    displayMode,
    throwOnError: true,
    // Authors write Russian words inside formulas; that is no mistake.
    strict: "ignore",
    // No \href, \includegraphics or \htmlClass: a formula is not a way around the content model.
    trust: false,
    // A formula a learner reads needs neither more macro steps nor larger boxes.
    maxExpand: 500,
    maxSize: 30,
  });
}
