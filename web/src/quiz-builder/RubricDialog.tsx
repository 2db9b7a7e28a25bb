import { useQuery } from "@apollo/client/react";
import { useId, useState } from "react";
import { LoadFailure } from "../errors/LoadFailure";
import { useTranslation } from "../i18n/useTranslation";
import { RubricView } from "../quiz/RubricView";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { SkeletonBlock } from "../ui/SkeletonBlock";
import classes from "./RubricEditor.module.css";
import { RubricCourseDocument, UsedRubricsDocument, type UsedRubricsQuery } from "./Rubrics.generated";

interface RubricDialogProps {
  pageId: string;
  onTake: (rubric: UsedRubricsQuery["courseRubrics"][number]["rubric"]) => void;
  onClose: () => void;
}

/** Chooses a rubric among those of the other questions of the course. */
export function RubricDialog({ pageId, onTake, onClose }: RubricDialogProps) {
  const { t } = useTranslation();
  const name = useId();
  const [chosen, setChosen] = useState<number | null>(null);
  const page = useQuery(RubricCourseDocument, { variables: { id: pageId } });
  const courseId = page.data?.page.course.id;
  const used = useQuery(UsedRubricsDocument, {
    variables: { courseId: courseId ?? "" },
    skip: courseId === undefined,
    fetchPolicy: "no-cache",
  });
  const rubrics = used.data?.courseRubrics;
  const error = page.error ?? used.error;
  const taken = chosen === null ? undefined : rubrics?.[chosen]?.rubric;
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={t("quizBuilder.rubric.take.title")}
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            {t("ui.cancel")}
          </Button>
          <Button disabled={!taken} onClick={() => taken && onTake(taken)}>
            {t("quizBuilder.rubric.take.confirm")}
          </Button>
        </>
      }
    >
      {error && <LoadFailure error={error} retry={() => void (courseId ? used.refetch() : page.refetch())} />}
      {!rubrics && !error && <SkeletonBlock height="10rem" />}
      {rubrics?.length === 0 && <p>{t("quizBuilder.rubric.take.none")}</p>}
      {rubrics && rubrics.length > 0 && (
        <fieldset className={classes.sources}>
          <legend>{t("quizBuilder.rubric.take.from")}</legend>
          {rubrics.map(({ pageTitle: title, number, prompt, rubric }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the list does not change while the dialog is open
            <div key={index} className={classes.source}>
              <label>
                <input
                  type="radio"
                  name={name}
                  checked={chosen === index}
                  onChange={() => setChosen(index)}
                />
                <span>
                  {prompt || t("quizBuilder.untitled", { number })}
                  <span className={classes.from}>
                    {t("quizBuilder.rubric.take.place", {
                      page: title ?? t("quizBuilder.rubric.take.untitled"),
                      number,
                    })}
                  </span>
                </span>
              </label>
              {chosen === index && <RubricView rubric={rubric} />}
            </div>
          ))}
        </fieldset>
      )}
    </Dialog>
  );
}
