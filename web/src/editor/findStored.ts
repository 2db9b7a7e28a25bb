import type { ApolloClient } from "@apollo/client";
import { textOf } from "./compare/mergeQuizzes";
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
 * would look like a change by somebody else. Undefined if it has stored none, and null if that cannot be told.
 */
export async function findStored(
  client: ApolloClient,
  { pageId, after, texts }: Search,
): Promise<PageText | null | undefined> {
  const fetchPolicy = "no-cache";
  try {
    const history = await client.query({
      query: PageHistoryDocument,
      variables: { id: pageId },
      fetchPolicy,
    });
    const versions = (history.data?.page.versions ?? []).map(({ version }) => version);
    const later = versions.filter((version) => version > after).sort((one, other) => other - one);
    if (later.length > MOST_VERSIONS) return null;
    for (const version of later) {
      const variables = { id: pageId, version };
      const { data } = await client.query({ query: PageVersionTextDocument, variables, fetchPolicy });
      const stored = data?.page.versionText && serverText(data.page.versionText);
      if (!stored) return null;
      if (texts.some((text) => isSame(text, stored))) return stored;
    }
    return undefined;
  } catch {
    return null;
  }
}

function isSame(one: PageText, other: PageText): boolean {
  if (one.title !== other.title || textOf(one.quiz) !== textOf(other.quiz)) return false;
  const [content, others] = [one, other].map((text) => fromStored(modelSchema(), text.content));
  return Boolean(content && others && content.eq(others));
}
