import type { ApolloClient } from "@apollo/client";
import { isNode } from "../content/model";
import { keyOf } from "./compare/diffBlocks";
import { textOf } from "./compare/mergeQuizzes";
import { PageHistoryDocument, PageVersionTextDocument } from "./EditPage.generated";
import { type PageText, serverText } from "./pageText";

/** The most versions that are compared. */
const MOST_VERSIONS = 20;

interface Search {
  pageId: string;
  /** Only later versions are compared. */
  after: number;
  texts: readonly PageText[];
}

/**
 * Finds the newest of these texts in the history of the page: a text that the server stored although its answer was lost. Without it, such a
 * text would look like somebody else's change. Returns undefined if the server stored none of them, and null if that is unknown.
 */
export async function findStored(
  client: ApolloClient,
  { pageId, after, texts }: Search,
): Promise<PageText | null | undefined> {
  const fetchPolicy = "no-cache";
  const sent = new Set(texts.map(meaningOf));
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
      if (sent.has(meaningOf(stored))) return stored;
    }
    return undefined;
  } catch {
    return null;
  }
}

/** A key that is equal for equivalent texts. */
const meaningOf = ({ title, content, quiz }: PageText): string =>
  JSON.stringify([title, isNode(content) && keyOf(content), textOf(quiz)]);
