import type { Part } from "../dates/parts";
import { partTitle } from "../dates/partTitle";
import { typedOf } from "../dates/typed";
import { useTranslation } from "../i18n/useTranslation";
import classes from "./Overrides.module.css";
import { partIdOf } from "./overrides";
import type { Times } from "./useTimes";

/** At most this many are named; the others are counted. */
const MOST = 5;

interface Props {
  times: Times;
  courseId: string;
  parts: readonly Part[];
  zone: string;
}

/** Names what an extension does not reach: parts and students with dates of their own that come earlier. Renders nothing without them. */
export function StillEarlier({ times: { earlierParts, earlierStudents }, courseId, parts, zone }: Props) {
  const { t, i18n } = useTranslation();
  const lists = [
    {
      text: t("overrides.still.parts"),
      total: earlierParts.totalCount,
      rows: earlierParts.nodes.flatMap((node) => {
        const part = parts.find(({ id }) => id === partIdOf(node, courseId));
        return part ? [{ id: part.id, name: partTitle(part, t), at: node.at }] : [];
      }),
    },
    {
      text: t("overrides.still.students"),
      total: earlierStudents.totalCount,
      rows: earlierStudents.nodes.map(({ student: { id, fullName, email }, at }) => ({
        id,
        name: fullName || email,
        at,
      })),
    },
  ].filter(({ total }) => total > 0);
  return lists.map(({ text, total, rows }) => {
    const shown = rows.slice(0, MOST);
    return (
      <div key={text} className={classes.ends}>
        <p>{text}</p>
        <ul>
          {shown.map(({ id, name, at }) => (
            <li key={id}>
              {t("overrides.ends.one", { part: name, value: typedOf(at, zone, i18n.language) })}
            </li>
          ))}
          {total > shown.length && <li>{t("overrides.still.more", { count: total - shown.length })}</li>}
        </ul>
      </div>
    );
  });
}
