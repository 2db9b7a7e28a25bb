import { useTranslation } from "../../i18n/useTranslation";
import { pictureOf } from "../../quiz/hotspot/picture";
import { Checkbox } from "../../ui/Checkbox";
import { offerUndo } from "../../ui/undo";
import type { AnswerEditorProps } from "../AnswerEditor";
import type { HotspotQuestion } from "../model";
import classes from "../QuestionEditor.module.css";
import { PicturePicker } from "./PicturePicker";
import { ZoneEditor } from "./ZoneEditor";

/** Edits the picture of a hotspot question, its right zones, and how marked places are graded. */
export function HotspotEditor({ question, onChange, onEdit, problemAt }: AnswerEditorProps<HotspotQuestion>) {
  const { t } = useTranslation();
  const edit = (how: (question: HotspotQuestion) => HotspotQuestion) =>
    onEdit((now) => (now.type === "hotspot" ? how(now) : now));
  const editPicture = (change: (picture: unknown) => unknown) =>
    edit((now) => ({ ...now, picture: change(now.picture) }));
  const picture = pictureOf(question.picture);
  return (
    <fieldset className={classes.group}>
      <legend>{t("quizBuilder.hotspot.legend")}</legend>
      <PicturePicker
        picture={question.picture}
        onEdit={editPicture}
        onReplaced={(before) =>
          offerUndo(t("quizBuilder.hotspot.picture.replaced"), () => editPicture(() => before))
        }
        problem={problemAt("picture")}
      />
      {picture && (
        <>
          <ZoneEditor
            picture={picture}
            zones={question.zones}
            onEdit={(change) => edit((now) => ({ ...now, zones: change(now.zones) }))}
            problem={problemAt("zones")}
          />
          <Checkbox
            label={t("quizBuilder.hotspot.markAll")}
            hint={t("quizBuilder.hotspot.markAllHint")}
            checked={question.mark_all}
            onChange={(event) => onChange({ ...question, mark_all: event.currentTarget.checked })}
          />
          {question.mark_all && (
            <Checkbox
              label={t("quizBuilder.hotspot.whole")}
              hint={t("quizBuilder.hotspot.wholeHint")}
              checked={question.all_or_nothing}
              onChange={(event) => onChange({ ...question, all_or_nothing: event.currentTarget.checked })}
            />
          )}
        </>
      )}
    </fieldset>
  );
}
