import { Link } from "@tanstack/react-router";
import { KindIcon } from "../course/KindIcon";
import { useTranslation } from "../i18n/useTranslation";
import { IconList } from "../ui/laterIcons";
import { Tag } from "../ui/Rows";
import { Marked } from "./Marked";
import { type Match, matchAddress, snippetsOf, titleParts } from "./match";
import classes from "./SearchScreen.module.css";

/** A page or a question of a bank: where it is, its title, and snippets that open at their places. */
export function Result({ match, text }: { match: Match; text: string }) {
  const { t } = useTranslation();
  const path =
    match.kind === "BANK_QUESTION"
      ? [t("search.bank")]
      : [match.courseTitle, match.lessonTitle].filter(Boolean);
  return (
    <li className={classes.result}>
      <p className={classes.path}>
        {path.map((part, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one path
          <span key={index}>{part}</span>
        ))}
      </p>
      <h3 className={classes.title}>
        {match.pageKind && match.pageKind !== "CONTENT" && (
          <KindIcon kind={match.pageKind} size={18} className={classes.kind} />
        )}
        {match.kind === "BANK_QUESTION" && <IconList size={18} className={classes.kind} />}
        <Link {...matchAddress(match)} className={classes.link}>
          <Marked parts={titleParts(match, text, t)} />
        </Link>
        {match.published === false && <Tag quiet>{t("search.draft")}</Tag>}
        {match.inDraft && <Tag quiet>{t("search.inDraft")}</Tag>}
      </h3>
      {snippetsOf(match).map((snippet, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the snippets of one result
        <p key={index} className={classes.snippet}>
          <Link {...matchAddress(match, snippet)}>
            <Marked parts={snippet.parts} />
          </Link>
        </p>
      ))}
    </li>
  );
}
