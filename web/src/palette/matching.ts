/** A text as the server's search compares it: small letters, ё as е. */
export function folded(text: string): string {
  return text.normalize("NFC").toLowerCase().replaceAll("ё", "е");
}

/** Is each word of `typed` somewhere in `text`? */
export function matches(text: string, typed: string): boolean {
  const words = folded(typed).split(/\s+/).filter(Boolean);
  const where = folded(text);
  return words.every((word) => where.includes(word));
}

/** Does each word of `typed` begin a word of `text`? */
export function begins(text: string, typed: string): boolean {
  const words = folded(typed).split(/\s+/).filter(Boolean);
  const where = folded(text).split(/[^\p{L}\p{N}]+/u);
  return words.every((word) => where.some((one) => one.startsWith(word)));
}

/** `text` cut where a word of `typed` begins and ends, to show why it was found; the parts that are one have odd places. */
export function marked(text: string, typed: string): string[] {
  const words = folded(typed).split(/\s+/).filter(Boolean);
  const where = folded(text);
  // Folding may change the length of rare letters; then nothing is marked rather than the wrong thing.
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
