import { type ReactNode, useId, useState } from "react";
import { pageTitle } from "../course/pageTitle";
import { useTranslation } from "../i18n/useTranslation";
import { Button } from "../ui/Button";
import { IconLesson, IconList, IconPage } from "../ui/laterIcons";
import { Row, Rows } from "../ui/Rows";
import classes from "./Snapshots.module.css";
import { type Changes, GROUPS, type Group, type Part } from "./snapshot";

/** So many parts of a kind of change are shown at first. */
const FIRST = 100;

const ICONS = { MODULE: IconList, LESSON: IconLesson, PAGE: IconPage };

interface Props {
  changes: Changes;
  /** What the changes lead from: the course, seen as a comparison or as a restoring, or an earlier snapshot. */
  mode: "course" | "restore" | "snapshots";
  /** What can be done with a part. */
  tools?: (part: Part, group: Group) => ReactNode;
}

/** Changed settings and parts of a course, by the kind of the change. */
export function ChangeLists({ changes, mode, tools }: Props) {
  const { t } = useTranslation();
  return (
    <>
      {changes.course.length > 0 && (
        <GroupPart title={t(`snapshots.groups.${mode}.settings`)} count={changes.course.length}>
          {changes.course.map((field) => (
            <Row
              key={field}
              name={<span className={classes.setting}>{t(`snapshots.fields.${field}`)}</span>}
            />
          ))}
        </GroupPart>
      )}
      {GROUPS.filter((group) => changes[group].length > 0).map((group) => (
        <PartsOf
          key={group}
          title={t(`snapshots.groups.${mode}.${group}`)}
          parts={changes[group]}
          tools={(part) => tools?.(part, group)}
        />
      ))}
    </>
  );
}

interface PartsProps {
  title: string;
  parts: readonly Part[];
  tools: (part: Part) => ReactNode;
}

function PartsOf({ title, parts, tools }: PartsProps) {
  const { t } = useTranslation();
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? parts : parts.slice(0, FIRST);
  return (
    <>
      <GroupPart title={title} count={parts.length}>
        {shown.map((part) => (
          <PartRow key={part.id} part={part} tools={tools(part)} />
        ))}
      </GroupPart>
      {shown.length < parts.length && (
        <Button variant="default" onClick={() => setWhole(true)}>
          {t("snapshots.all", { count: parts.length })}
        </Button>
      )}
    </>
  );
}

function GroupPart({ title, count, children }: { title: string; count: number; children: ReactNode }) {
  const id = useId();
  return (
    <section className={classes.group} aria-labelledby={id}>
      <h3 id={id} className={classes.groupTitle}>
        {title} <span className={classes.count}>{count}</span>
      </h3>
      <Rows>{children}</Rows>
    </section>
  );
}

function PartRow({ part, tools }: { part: Part; tools: ReactNode }) {
  const { t } = useTranslation();
  const { path, fields } = part;
  const Icon = ICONS[part.part];
  return (
    <Row
      name={
        <span className={classes.partName}>
          <span className={classes.icon}>
            <Icon size={18} />
          </span>
          {pageTitle(part, t)}
        </span>
      }
      facts={
        (path.length > 0 || fields.length > 0) && (
          <>
            {path.length > 0 && <span>{path.join(" › ")}</span>}
            {fields.length > 0 && (
              <span>{fields.map((field) => t(`snapshots.fields.${field}`)).join(", ")}</span>
            )}
          </>
        )
      }
      tools={tools}
    />
  );
}
