import type { ApolloClient } from "@apollo/client";
import documentStyles from "../content/Document.module.css";
import { ReadingPageDocument } from "./ReadingPage.generated";

/** Reads a page from the server and shows it, with the block at the top of the screen where it was. */
export async function readAgain(client: ApolloClient, id: string): Promise<void> {
  const query = { query: ReadingPageDocument, variables: { id } };
  const { data } = await client.query({ ...query, fetchPolicy: "no-cache" });
  if (!data) return;
  const restore = holdPlace();
  client.writeQuery({ ...query, data });
  // After the new text is rendered and before it is painted.
  requestAnimationFrame(restore);
}

/** Remembers the text at the top of the screen. Returns a function that scrolls to it again. */
function holdPlace(): () => void {
  const root = document.documentElement;
  const shown = blocks()
    .map((block, index) => ({ text: block.textContent, index, ...edges(block) }))
    .filter(({ bottom, text }) => bottom > 0 && text);
  // At its start the page shows what is new there.
  if (root.scrollTop === 0) return () => {};
  // The browser would hold the element, which may have another text now.
  root.style.overflowAnchor = "none";
  return () => {
    const now = blocks();
    for (const { text, index, top } of shown) {
      const [same] = now
        .map((block, at) => ({ block, distance: Math.abs(at - index) }))
        .filter(({ block }) => block.textContent === text)
        .sort((one, other) => one.distance - other.distance);
      if (!same) continue;
      window.scrollBy({ top: edges(same.block).top - top, behavior: "instant" });
      break;
    }
    root.style.overflowAnchor = "";
  };
}

const edges = (block: Element) => {
  const { top, bottom } = block.getBoundingClientRect();
  return { top, bottom };
};

const blocks = () => [...document.querySelectorAll(`main article .${documentStyles.document} > *`)];
