import { useMutation } from "@apollo/client/react";
import { useId } from "react";
import { upload } from "../api/upload";
import { useTranslation } from "../i18n/useTranslation";
import { PictureField } from "../outline/PictureField";
import { toastFailure } from "../ui/toasts";
import classes from "./CoverField.module.css";
import { RemoveCoverDocument } from "./PublicPage.generated";

interface Props {
  courseId: string;
  coverUrl: string | null;
  /** Called after a cover is uploaded. */
  onChanged: () => void;
}

/** The cover of a course: shown, chosen, cropped to 16:9, removed. */
export function CoverField({ courseId, coverUrl, onChanged }: Props) {
  const { t } = useTranslation();
  const id = useId();
  const [remove, { loading }] = useMutation(RemoveCoverDocument, {
    variables: { input: { courseId } },
    onError: toastFailure,
  });
  return (
    <section className={classes.section} aria-labelledby={id}>
      <h3 className={classes.heading} id={id}>
        {t("courseSettings.page.cover")}
      </h3>
      <PictureField
        hasPicture={coverUrl !== null}
        shown={coverUrl && <img className={classes.cover} src={coverUrl} alt="" width={1280} height={720} />}
        className={classes.current}
        hint={t("courseSettings.page.coverHint")}
        aspect={16 / 9}
        side={1280}
        height="22rem"
        send={async (picture, options) => {
          const form = new FormData();
          form.append("file", picture, "picture");
          await upload(`/api/v1/courses/upload_cover/${courseId}`, form, options);
          onChanged();
        }}
        isRemoving={loading}
        onRemove={() => void remove()}
      />
    </section>
  );
}
