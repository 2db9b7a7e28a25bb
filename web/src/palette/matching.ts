/** Normalises a text like the server's search: lower case, ё as е. */
function folded(text: string): string {
  return text.normalize("NFC").toLowerCase().replaceAll("ё", "е");
}

/** Whether `text` contains each word of `typed`. */
export function matches(text: string, typed: string): boolean {
  const words = folded(typed).split(/\s+/).filter(Boolean);
  const where = folded(text);
  return words.every((word) => where.includes(word));
}

/** Whether each word of `typed` is the beginning of a word of `text`. */
export function begins(text: string, typed: string): boolean {
  const words = folded(typed).split(/\s+/).filter(Boolean);
  const where = folded(text).split(/[^\p{L}\p{N}]+/u);
  return words.every((word) => where.some((one) => one.startsWith(word)));
}

/** Splits `text` around the words of `typed` to highlight the matches; parts with odd indexes are matches. */
export function marked(text: string, typed: string): string[] {
  const words = folded(typed).split(/\s+/).filter(Boolean);
  const where = folded(text);
  // Lower-casing can change the length of rare letters; then nothing is highlighted, because the indexes are wrong.
  if (words.length === 0 || where.length !== text.length) return [text];
  const parts: string[] = [];
  let plain = "";
  for (let at = 0; at < text.length; ) {
    const word = words.filter((one) => where.startsWith(one, at)).sort((a, b) => b.length - a.length)[0];
    if (word) {
      parts.push(plain, text.slice(at, at + word.length));
      plain = "";
      at += word.length;
    } else {
      plain += text[at];
      at += 1;
    }
  }
  return [...parts, plain];
}
