/** Markdown that does not occur by chance in plain text. */
const CERTAIN = [
  /^#{1,6} \S/m,
  /^(```|~~~)/m,
  /^\|.+\|[ \t]*\n\|[ \t]*:?-{2,}/m,
  /^[-*+] \[[ xX]\] /m,
  /\[[^\]\n]+\]\((https?:|mailto:|\/|#)[^)\s]*\)/,
  /^\$\$[\s\S]+?\$\$/m,
];
/** Signs of Markdown when two of them occur. */
const LIKELY = [
  /^[-*+] \S/gm,
  /^\d+[.)] \S/gm,
  /^> \S/gm,
  /\*\*[^\s*][^*\n]*\*\*/g,
  /(?<!`)`[^`\n]+`(?!`)/g,
  /~~\S[^~\n]*~~/g,
  /\$[^\s$][^$\n]*\$/g,
];

/** Whether a plain text is Markdown, such as an answer copied from a chat. */
export function looksLikeMarkdown(text: string): boolean {
  if (CERTAIN.some((sign) => sign.test(text))) return true;
  return LIKELY.reduce((count, sign) => count + (text.match(sign)?.length ?? 0), 0) >= 2;
}
