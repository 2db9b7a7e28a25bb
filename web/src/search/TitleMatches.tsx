import { Link } from "@tanstack/react-router";
import { useId } from "react";
import { useTranslation } from "../i18n/useTranslation";
import { destination, type Found } from "../palette/destination";
import { marked } from "../palette/matching";
import { IconBooks } from "../ui/icons";
import { IconLesson } from "../ui/laterIcons";
import classes from "./SearchScreen.module.css";

/** The most titles shown: the texts of pages are what this screen is for. */
const FEW = 4;

/** The courses and lessons of a search of titles, whose pages are among the results of the texts. */
export function titlesOf(found: readonly Found[], courseId: string | null): Found[] {
  return found
    .filter((one) => one.kind !== "PAGE" && (courseId === null || one.courseId === courseId))
    .slice(0, FEW);
}

/** The courses and lessons whose titles match, above the results. */
export function TitleMatches({ titles, text }: { titles: readonly Found[]; text: string }) {
  const { t } = useTranslation();
  const heading = useId();
  if (titles.length === 0) return null;
  return (
    <section className={classes.titles} aria-labelledby={heading}>
      <h2 id={heading} className={classes.heading}>
        {t("search.titles")}
      </h2>
      <ul className={classes.titleList}>
        {titles.map((one) => (
          <li key={one.id} className={classes.titleRow}>
            {one.kind === "COURSE" ? <IconBooks size={18} /> : <IconLesson size={18} />}
            <span className={classes.titleWords}>
              <Link to={destination(one)} className={classes.link}>
                {marked(one.title ?? "", text).map((part, index) =>
                  // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text
                  index % 2 === 1 ? <mark key={index}>{part}</mark> : part,
                )}
              </Link>
              {one.kind === "LESSON" && <span className={classes.of}>{one.courseTitle}</span>}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
