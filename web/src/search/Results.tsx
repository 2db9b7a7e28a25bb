import { useApolloClient, useQuery } from "@apollo/client/react";
import { useEffect, useId, useRef, useState } from "react";
import { QueryState } from "../errors/QueryState";
import { useTranslation } from "../i18n/useTranslation";
import { Button } from "../ui/Button";
import { EmptyState } from "../ui/EmptyState";
import { IconSearch } from "../ui/icons";
import { ListSkeleton } from "../ui/Skeletons";
import { toastFailure } from "../ui/toasts";
import { matchKey } from "./match";
import { Result } from "./Result";
import { SearchContentDocument } from "./Search.generated";
import classes from "./SearchScreen.module.css";
import { type Search, WINDOW, WINDOWS_MAX } from "./searchParams";

interface Props {
  search: Search;
  /** Whether to wait for the titles that are shown above, so that nothing moves. */
  isHeld: boolean;
  isBelowTitles: boolean;
  /** Another window of results is in the cache. */
  onMore: () => void;
  onEverywhere: () => void;
}

/** The pages and questions whose text matches. */
export function Results({ search, isHeld, isBelowTitles, onMore, onEverywhere }: Props) {
  const { t } = useTranslation();
  const client = useApolloClient();
  const heading = useId();
  const list = useRef<HTMLOListElement>(null);
  const [isLoadingMore, setLoadingMore] = useState(false);
  const { courseId, page } = search;
  // A space at the end tells the server that the last word is complete.
  const text = search.text.trimStart();
  const variablesOf = (windows: number) => ({ text, courseId, first: windows * WINDOW });
  const { data, previousData, error, refetch } = useQuery(SearchContentDocument, {
    variables: variablesOf(page),
    // Further windows are in the cache already; see `loadMore`.
    fetchPolicy: page === 1 ? "cache-and-network" : "cache-first",
  });
  const results = (data ?? (error ? undefined : previousData))?.searchContent;

  const firstNew = useRef<number>(null);
  const shownCount = results?.nodes.length ?? 0;
  // The keyboard goes on at the first new result, once the router has rendered it.
  useEffect(() => {
    if (firstNew.current === null || shownCount <= firstNew.current) return;
    list.current?.querySelector<HTMLElement>(`li:nth-child(${firstNew.current + 1}) a`)?.focus();
    firstNew.current = null;
  }, [shownCount]);

  const loadMore = async () => {
    if (!data) return;
    setLoadingMore(true);
    const { nodes, pageInfo } = data.searchContent;
    try {
      const next = await client.query({
        query: SearchContentDocument,
        variables: { ...variablesOf(1), after: pageInfo.endCursor },
        fetchPolicy: "no-cache",
      });
      if (!next.data) throw next.error;
      const more = next.data.searchContent;
      client.writeQuery({
        query: SearchContentDocument,
        variables: variablesOf(page + 1),
        data: { searchContent: { ...more, nodes: [...nodes, ...more.nodes] } },
      });
      firstNew.current = nodes.length;
      onMore();
    } catch (failure) {
      toastFailure(failure);
    } finally {
      setLoadingMore(false);
    }
  };

  if (!results || isHeld)
    return (
      <QueryState
        error={error}
        retry={() => void refetch().catch(() => undefined)}
        heading="h2"
        notFound={t("search.unknownCourse")}
        loading={<ListSkeleton rows={6} height="6.5rem" />}
      />
    );
  if (results.totalCount === 0)
    return (
      <EmptyState
        title={t(isBelowTitles ? "search.nothingInTexts" : "search.nothing")}
        icon={<IconSearch />}
        heading="h2"
        action={
          courseId !== null && (
            <Button variant="default" onClick={onEverywhere}>
              {t("search.searchEverywhere")}
            </Button>
          )
        }
      >
        {t("search.nothingText")}
      </EmptyState>
    );
  const { nodes, totalCount, pageInfo } = results;
  return (
    <section aria-labelledby={heading}>
      <div className={classes.bar}>
        <h2 id={heading} className={classes.heading}>
          {t("search.results")}
        </h2>
        <p role="status" className={classes.count}>
          {pageInfo.hasNextPage
            ? t("search.shown", { count: totalCount, shown: nodes.length })
            : t("search.count", { count: totalCount })}
        </p>
      </div>
      <ol
        // biome-ignore lint/a11y/noRedundantRoles: a list without markers is none to Safari unless told so
        role="list"
        ref={list}
        className={classes.results}
        aria-labelledby={heading}
        aria-busy={data === undefined || undefined}
      >
        {nodes.map((match) => (
          <Result key={matchKey(match)} match={match} text={text.trim()} />
        ))}
      </ol>
      {pageInfo.hasNextPage && page < WINDOWS_MAX && (
        <Button variant="default" loading={isLoadingMore} onClick={() => void loadMore()}>
          {t("search.more")}
        </Button>
      )}
      {pageInfo.hasNextPage && page === WINDOWS_MAX && <p className={classes.rest}>{t("search.tooMany")}</p>}
    </section>
  );
}
