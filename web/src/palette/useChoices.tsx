import { useQuery } from "@apollo/client/react";
import { useRouter } from "@tanstack/react-router";
import { type ReactNode, useDeferredValue } from "react";
import { KindIcon } from "../course/KindIcon";
import { pageTitle } from "../course/pageTitle";
import { useTranslation } from "../i18n/useTranslation";
import {
  type Match,
  matchAddress,
  matchKey,
  matchTitle,
  type Part,
  snippetsOf,
  withoutLead,
} from "../search/match";
import { IconBooks, IconSearch } from "../ui/icons";
import { IconLesson, IconList, IconPage } from "../ui/laterIcons";
import { useDebouncedValue } from "../ui/useDebouncedValue";
import type { PaletteAction } from "./actions";
import { destination, type Found } from "./destination";
import { begins, matches } from "./matching";
import { PaletteSearchDocument } from "./PaletteSearch.generated";
import { useContentMatches } from "./useContentMatches";
import { useCourseActions } from "./useCourseActions";
import { useGlobalActions } from "./useGlobalActions";

/** An entry of the palette: a link to a page or an action. */
export interface Choice {
  key: string;
  icon: ReactNode;
  title: string;
  /** The location: course, module and lesson. */
  place?: string | undefined;
  /** The text that matches. */
  snippet?: readonly Part[];
  /** The page to open; without it the entry is an action. */
  href?: string;
  run: () => void;
}

interface ChoiceGroup {
  title: string;
  choices: Choice[];
}

/** The most matching titles, so that the matches in texts below them are seen. */
const TITLES = 8;
/** The text before a match that its snippet keeps, in characters. */
const LEAD = 40;

/** Returns what the palette offers for the typed text, in groups that are not empty. */
export function useChoices(typed: string) {
  const { t } = useTranslation();
  const router = useRouter();
  const text = useDebouncedValue(typed.trim());
  const titles = useFound(typed, text);
  const content = useContentMatches(typed, text, titles.waiting);
  const actions = useActions(typed);
  const isWordless = typed.trim() === "";

  // The title search already lists pages of which only the title matches.
  const listed = new Set(titles.found.map(({ key }) => key));
  const fromText = (found: readonly Match[], hasCourse: boolean) =>
    found.flatMap((match): Choice[] => {
      const [snippet] = snippetsOf(match);
      if (!snippet && listed.has(matchKey(match))) return [];
      const address = matchAddress(match);
      const place = [
        match.kind === "PAGE" && hasCourse && match.courseTitle,
        match.lessonTitle,
        match.published === false && t("palette.draft"),
      ];
      return [
        {
          key: `text-${matchKey(match)}`,
          icon: iconOf(match),
          title: matchTitle(match, t),
          place: place.filter(Boolean).join(" · "),
          ...(snippet && { snippet: withoutLead(snippet.parts, LEAD) }),
          href: router.buildLocation(address).href,
          run: () => void router.navigate(address),
        },
      ];
    });

  const found = { title: t(isWordless ? "palette.courses" : "palette.found"), choices: titles.found };
  const doable = { title: t("palette.actions"), choices: actions };
  // Matching actions are known at once and come first, so that later results of the server do not move them.
  const groups: ChoiceGroup[] = isWordless
    ? [found, doable]
    : [
        doable,
        found,
        { title: t("palette.here"), choices: fromText(content.here, false) },
        {
          title: t(content.isInCourse ? "palette.elsewhere" : "palette.pages"),
          choices: fromText(content.others, true),
        },
        { title: t("palette.banks"), choices: fromText(content.questions, false) },
      ];
  const waiting = titles.waiting || content.waiting;
  const filled = groups.filter(({ choices }) => choices.length > 0);
  const words = typed.trim();
  const all: Choice = {
    key: "all",
    icon: <IconSearch />,
    title: t("palette.all", { text: words }),
    place: waiting ? t("palette.searching") : undefined,
    href: router.buildLocation({ to: "/search", search: { text: words } }).href,
    run: () => void router.navigate({ to: "/search", search: { text: words } }),
  };
  return {
    groups: filled,
    /** Opens the screen of all results; null when there are none. */
    all: isWordless || (filled.length === 0 && !waiting) ? null : all,
    total: titles.total,
    shown: titles.found.length,
    failed: titles.failed,
    waiting,
  };
}

function iconOf({ kind, pageKind }: Match): ReactNode {
  if (kind === "BANK_QUESTION") return <IconList />;
  return pageKind === null || pageKind === "CONTENT" ? <IconPage /> : <KindIcon kind={pageKind} />;
}

/** Returns the courses, lessons and pages whose titles match. During a request the previous results stay. */
function useFound(typed: string, text: string) {
  const { t } = useTranslation();
  const router = useRouter();
  const { data, previousData, error, loading } = useQuery(PaletteSearchDocument, {
    variables: { text },
    fetchPolicy: "cache-and-network",
  });
  const shown = useDeferredValue(data ?? previousData);
  const icons = { COURSE: <IconBooks />, LESSON: <IconLesson />, PAGE: <IconPage /> };
  // Drops previous results that do not match the current text. Module titles are not part of a result.
  const fresh = data !== undefined && shown === data && text === typed.trim();
  const nodes = (shown?.search.nodes ?? []).filter(
    ({ title, courseTitle, lessonTitle }) =>
      fresh || matches([title, courseTitle, lessonTitle].join(" "), typed),
  );
  const found = nodes.slice(0, text === "" ? nodes.length : TITLES).map((node): Choice => {
    const href = destination(node);
    return {
      key: node.id,
      icon:
        node.pageKind === null || node.pageKind === "CONTENT" ? (
          icons[node.kind]
        ) : (
          <KindIcon kind={node.pageKind} />
        ),
      title: node.title ?? pageTitle({ title: null, number: node.number ?? 1 }, t),
      place: placeOf(node, t("palette.draft"), t("palette.teaching")),
      href,
      run: () => void router.navigate({ to: href }),
    };
  });
  return {
    found,
    total: shown?.search.totalCount ?? 0,
    failed: error !== undefined && data === undefined,
    waiting: loading || text !== typed.trim(),
  };
}

function placeOf(found: Found, draft: string, teaching: string): string | undefined {
  if (found.kind === "COURSE") return found.myRole === "LEARNER" ? undefined : teaching;
  const parts = [found.courseTitle, found.lessonTitle, found.published === false ? draft : null];
  return parts.filter(Boolean).join(" · ");
}

/** Returns the actions that match the text; all actions when it is empty. */
function useActions(typed: string): Choice[] {
  const ofCourse = useCourseActions();
  return [...ofCourse, ...useGlobalActions()]
    .filter((action: PaletteAction) => begins(`${action.title} ${action.words ?? ""}`, typed))
    .map(({ id, icon, title, run }) => ({ key: `action-${id}`, icon, title, run }));
}
