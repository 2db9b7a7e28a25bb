/** What nobody writes by chance. */
const CERTAIN = [
  /^#{1,6} \S/m,
  /^(```|~~~)/m,
  /^\|.+\|[ \t]*\n\|[ \t]*:?-{2,}/m,
  /^[-*+] \[[ xX]\] /m,
  /\[[^\]\n]+\]\((https?:|mailto:|\/|#)[^)\s]*\)/,
  /^\$\$[\s\S]+?\$\$/m,
];
/** What is Markdown when it comes more than once, or together. */
const LIKELY = [
  /^[-*+] \S/gm,
  /^\d+[.)] \S/gm,
  /^> \S/gm,
  /\*\*[^\s*][^*\n]*\*\*/g,
  /(?<!`)`[^`\n]+`(?!`)/g,
  /~~\S[^~\n]*~~/g,
  /\$[^\s$][^$\n]*\$/g,
];

/** Whether a plain text was written in Markdown, as by hand, or by a chat that answers in it. */
export function looksLikeMarkdown(text: string): boolean {
  if (CERTAIN.some((sign) => sign.test(text))) return true;
  return LIKELY.reduce((count, sign) => count + (text.match(sign)?.length ?? 0), 0) >= 2;
}
