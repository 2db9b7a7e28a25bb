import { useQuery } from "@apollo/client/react";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { useTranslation } from "../i18n/useTranslation";
import { PaletteSearchDocument } from "../palette/PaletteSearch.generated";
import { EmptyState } from "../ui/EmptyState";
import { IconSearch } from "../ui/icons";
import { Screen } from "../ui/Screen";
import { SearchField } from "../ui/SearchField";
import { Select } from "../ui/Select";
import { Results } from "./Results";
import { SearchCoursesDocument } from "./Search.generated";
import classes from "./SearchScreen.module.css";
import { paramsOf, type Search, type SearchParams, searchOf } from "./searchParams";
import { TitleMatches, titlesOf } from "./TitleMatches";

/** The screen at /search: the full-text search in the courses and question banks of the user. */
export function SearchScreen(params: SearchParams) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const fields = useRef<HTMLElement>(null);
  const search = searchOf(params);
  const text = search.text.trim();
  // Not cached, because the palette keeps fewer courses of the same search.
  const courses = useQuery(SearchCoursesDocument, { fetchPolicy: "no-cache" }).data?.search.nodes ?? [];
  const titles = useQuery(PaletteSearchDocument, { variables: { text }, skip: text === "" });
  const titled = titlesOf((titles.data ?? titles.previousData)?.search.nodes ?? [], search.courseId);
  const change = (changed: Partial<Search>) =>
    void navigate({
      to: "/search",
      search: paramsOf({ ...search, page: 1, ...changed }),
      replace: true,
      resetScroll: false,
    });

  const isBlank = text === "";
  const opensBlank = useRef(isBlank);
  useEffect(() => {
    if (!opensBlank.current) return;
    // After the layout, which moves the focus to the start of a new screen.
    const timer = setTimeout(() => fields.current?.querySelector("input")?.focus(), 0);
    return () => clearTimeout(timer);
  }, []);

  const isKnown = search.courseId === null || courses.some(({ id }) => id === search.courseId);
  return (
    <Screen title={t("search.title")}>
      <search ref={fields} className={classes.fields}>
        <SearchField
          label={t("search.field")}
          className={classes.words}
          value={search.text}
          onSearch={(words) => change({ text: words })}
        />
        <Select
          aria-label={t("search.where")}
          className={classes.where}
          value={search.courseId ?? ""}
          onChange={(event) => change({ courseId: event.currentTarget.value || null })}
          options={[
            { value: "", label: t("search.everywhere") },
            ...courses.map(({ id, title }) => ({ value: id, label: title ?? "" })),
            ...(isKnown ? [] : [{ value: search.courseId ?? "", label: t("search.thisCourse") }]),
          ]}
        />
      </search>
      {isBlank ? (
        <EmptyState title={t("search.blank")} icon={<IconSearch />} heading="h2">
          {t("search.blankText")}
        </EmptyState>
      ) : (
        <>
          <TitleMatches titles={titled} text={text} />
          <Results
            search={search}
            isHeld={!titles.data && !titles.previousData && !titles.error}
            isBelowTitles={titled.length > 0}
            onMore={() => change({ page: search.page + 1 })}
            onEverywhere={() => change({ courseId: null })}
          />
        </>
      )}
    </Screen>
  );
}
