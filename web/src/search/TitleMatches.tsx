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

interface Props {
  /** What the search of titles has found; its pages are among the results below. */
  found: readonly Found[];
  courseId: string | null;
  text: string;
}

/** The courses and lessons whose titles match, above the results. */
export function TitleMatches({ found, courseId, text }: Props) {
  const { t } = useTranslation();
  const heading = useId();
  const shown = found
    .filter((one) => one.kind !== "PAGE" && (courseId === null || one.courseId === courseId))
    .slice(0, FEW);
  if (shown.length === 0) return null;
  return (
    <section className={classes.titles} aria-labelledby={heading}>
      <h2 id={heading} className={classes.heading}>
        {t("search.titles")}
      </h2>
      <ul className={classes.titleList}>
        {shown.map((one) => (
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
