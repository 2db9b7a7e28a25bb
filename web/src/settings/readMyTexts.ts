import type { ApolloClient } from "@apollo/client";
import { MyTextsDocument, type MyTextsQuery } from "./Settings.generated";

type Text = MyTextsQuery["myTexts"]["nodes"][number];

/** All that the user has written to others and in notes, oldest first. */
export async function readMyTexts(client: ApolloClient): Promise<Omit<Text, "__typename">[]> {
  const texts: Text[] = [];
  let after: string | null = null;
  do {
    const { data }: { data?: MyTextsQuery | undefined } = await client.query({
      query: MyTextsDocument,
      variables: { after },
      fetchPolicy: "no-cache",
    });
    if (!data) throw new TypeError("myTexts has no data");
    texts.push(...data.myTexts.nodes);
    after = data.myTexts.pageInfo.hasNextPage ? data.myTexts.pageInfo.endCursor : null;
  } while (after);
  return texts.map(({ kind, course, page, writtenAt, title, text, document }) => ({
    kind,
    course,
    page,
    writtenAt,
    title,
    text,
    document,
  }));
}
