import { wordsIn } from "../comments/shownText";
import { blocksOf } from "../editor/compare/diffBlocks";
import type { Place } from "./discussion";
import type { QuestionedPage } from "./page";

/** A place in the text that is on the screen: the nearest block with its words. Null if no block has them. */
export function placeAgain(
  place: Place & { version: number },
  { version, content }: Pick<QuestionedPage, "version" | "content">,
): (Place & { version: number }) | null {
  if (place.version === version) return place;
  const quote = inOneLine(place.quote);
  if (!quote) return null;
  const [nearest] = blocksOf(content)
    .map((block, at) => ({ at, words: inOneLine(wordsIn(block)) }))
    .filter(({ words }) => words.includes(quote))
    .sort((one, other) => Math.abs(one.at - place.block) - Math.abs(other.at - place.block));
  return nearest ? { block: nearest.at, quote: place.quote, version } : null;
}

const inOneLine = (text: string) => text.replace(/\s+/g, " ").trim();
