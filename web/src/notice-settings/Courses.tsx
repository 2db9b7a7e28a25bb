import { useRef, useState } from "react";
import { useTranslation } from "../i18n/useTranslation";
import { Button } from "../ui/Button";
import { IconPlus } from "../ui/icons";
import { Section } from "../ui/Section";
import { ChoiceRow } from "./ChoiceRow";
import type { Change, Preferences } from "./changes";
import { ColumnHeads, stateOf } from "./KindTable";
import { NewException } from "./NewException";
import classes from "./NoticeSettings.module.css";
import type { Outcome } from "./usePreferences";

interface Props {
  preferences: Preferences;
  outcome: Outcome | null;
  /** Whether the user has devices that receive pushes. */
  withPush: boolean;
  onChange: (change: Change) => void;
}

/** The choices of courses that differ from those for all courses. */
export function Courses({ preferences, outcome, withPush, onChange }: Props) {
  const { t } = useTranslation();
  const [isAdding, setAdding] = useState(false);
  const addButton = useRef<HTMLButtonElement>(null);
  const { courses } = preferences;
  const titleOf = (title: string | null) => title || t("noticeSettings.courses.untitled");
  const differing = courses.filter(({ choices }) => choices.length > 0);
  return (
    <Section title={t("noticeSettings.courses.heading")} text={t("noticeSettings.courses.text")}>
      {differing.length === 0 && (
        <p className={classes.none}>
          {t(courses.length === 0 ? "noticeSettings.courses.noCourses" : "noticeSettings.courses.none")}
        </p>
      )}
      {differing.length > 0 && (
        <div className={classes.table} data-push={withPush || undefined}>
          <ColumnHeads withPush={withPush} />
          {differing.map(({ course, choices }) => (
            <section
              key={course.id}
              className={classes.part}
              aria-label={t("noticeSettings.courses.list", { course: titleOf(course.title) })}
            >
              <h3 className={classes.partTitle}>{titleOf(course.title)}</h3>
              <ul className={classes.rows}>
                {choices.map((choice) => {
                  const kind = t(`noticeSettings.kind.${choice.kind}`);
                  return (
                    <ChoiceRow
                      key={choice.kind}
                      choice={choice}
                      name={kind}
                      state={stateOf(outcome, choice.kind, course.id)}
                      reset={t("noticeSettings.courses.resetOf", { kind, course: titleOf(course.title) })}
                      isRemoved
                      withPush={withPush}
                      onChoose={(chosen) =>
                        onChange({ what: "choose", input: { ...chosen, courseId: course.id } })
                      }
                      onReset={() => {
                        onChange({ what: "reset", input: { courseId: course.id, kind: choice.kind } });
                        // The pressed button is removed.
                        addButton.current?.focus();
                      }}
                    />
                  );
                })}
              </ul>
            </section>
          ))}
        </div>
      )}
      {courses.length > 0 && (
        <Button
          ref={addButton}
          variant="default"
          icon={<IconPlus size={18} />}
          onClick={() => setAdding(true)}
        >
          {t("noticeSettings.courses.add")}
        </Button>
      )}
      {isAdding && (
        <NewException
          preferences={preferences}
          withPush={withPush}
          onAdd={(input) => onChange({ what: "choose", input })}
          onClose={() => setAdding(false)}
        />
      )}
    </Section>
  );
}
