import { isNode } from "../content/model";
import { blocksOf } from "../editor/compare/diffBlocks";
import { quotableText } from "./blockText";
import type { NewPlace } from "./note";

/** A place in the text that is on the screen: its words, if the text has them exactly once. Null otherwise. */
export function placeAgain(
  place: NewPlace,
  { version, content }: { version: number; content: unknown },
): NewPlace | null {
  if (place.version === version) return place;
  const places = blocksOf(content)
    .filter(isNode)
    .flatMap((node, block) =>
      startsOf(quotableText(node), place.quote).map((start) => ({
        block,
        start,
        quote: place.quote,
        version,
      })),
    );
  const [only] = places;
  return places.length === 1 && only ? only : null;
}

/** Where the words begin in a text, in code points. */
function startsOf(text: string, words: string): number[] {
  const found: number[] = [];
  if (words === "") return found;
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1))
    found.push([...text.slice(0, at)].length);
  return found;
}
