import type { ApolloClient } from "@apollo/client";
import { PageHistoryDocument, PageVersionTextDocument } from "./EditPage.generated";
import { type PageText, serverText } from "./pageText";
import { modelSchema } from "./schema";
import { fromStored } from "./stored";

/** How many versions are compared at most. */
const MOST_VERSIONS = 20;

interface Search {
  pageId: string;
  /** Only later versions are compared. */
  after: number;
  texts: readonly PageText[];
}

/**
 * Finds the newest of these texts in the history of the page: one that the server stored although its answer was lost. Without it such a text
 * would look like a change by somebody else. Null if there is none, or the history cannot be read.
 */
export async function findStored(
  client: ApolloClient,
  { pageId, after, texts }: Search,
): Promise<PageText | null> {
  const fetchPolicy = "no-cache";
  try {
    const history = await client.query({
      query: PageHistoryDocument,
      variables: { id: pageId },
      fetchPolicy,
    });
    const versions = (history.data?.page.versions ?? []).map(({ version }) => version);
    const later = versions.filter((version) => version > after).sort((one, other) => other - one);
    for (const version of later.slice(0, MOST_VERSIONS)) {
      const variables = { id: pageId, version };
      const { data } = await client.query({ query: PageVersionTextDocument, variables, fetchPolicy });
      const stored = data?.page.versionText && serverText(data.page.versionText);
      if (stored && texts.some((text) => isSame(text, stored))) return stored;
    }
  } catch {
    // The author then chooses between the two texts.
  }
  return null;
}

function isSame(one: PageText, other: PageText): boolean {
  if (one.title !== other.title || JSON.stringify(one.quiz) !== JSON.stringify(other.quiz)) return false;
  const [content, others] = [one, other].map((text) => fromStored(modelSchema(), text.content));
  return Boolean(content && others && content.eq(others));
}
