import { useMutation } from "@apollo/client/react";
import { useEffect, useId, useRef } from "react";
import { useGuardedForm } from "../forms/useGuardedForm";
import { useTranslation } from "../i18n/useTranslation";
import type { Course } from "../outline/EditCourse";
import { Button } from "../ui/Button";
import { Checkbox } from "../ui/Checkbox";
import { RadioGroup } from "../ui/RadioGroup";
import { Select } from "../ui/Select";
import { TextArea } from "../ui/TextArea";
import { TextField } from "../ui/TextField";
import { toastSuccess } from "../ui/toasts";
import { CertificatePreview } from "./CertificatePreview";
import classes from "./CertificateSettings.module.css";
import { Colours } from "./Colours";
import { SetCertificateDesignDocument } from "./Design.generated";
import {
  changesOf,
  type Design,
  headingProblem,
  inserted,
  monthsProblem,
  PLACEHOLDERS,
  type Placeholder,
  percentProblem,
  signerProblem,
  type Typed,
  textProblem,
  typedOf,
} from "./design";
import { PictureOfDesign } from "./PictureOfDesign";
import { SampleLink } from "./SampleLink";

type Saved = Design | undefined;

interface Props {
  course: Course;
  design: Design;
  /** Reads the design again. */
  onChanged: () => void;
}

/** The form for the certificates of a course, with a picture of one beside it. */
export function DesignForm({ course, design, onChanged }: Props) {
  const { t } = useTranslation();
  const textId = useId();
  const [set] = useMutation(SetCertificateDesignDocument);
  const values = typedOf(design);
  /** The values that the form shows where nothing is typed: what differs from them was changed here. */
  const read = useRef(values);
  const form = useGuardedForm<Typed, Saved>({
    name: "certificate-design",
    subject: course.id,
    mode: "onTouched",
    values,
    save: async (typed) => {
      const input = { courseId: course.id, ...changesOf(typed, read.current) };
      const { data } = await set({ variables: { input } });
      return data?.setCertificateDesign.design;
    },
    serverFields: {
      min_percent: "minPercent",
      valid_months: "validMonths",
      is_on: "isOn",
      has_grade: "hasGrade",
    },
    refusalAt: "heading",
    onSaved: (stored, typed) => {
      // The server has the texts without spaces around them, and standard ones in another language when that was changed.
      if (stored) showStored(typedOf(stored), typed);
      onChanged();
      toastSuccess(t(`courseSettings.certificates.${typed.isOn ? "savedOn" : "savedOff"}`));
    },
  });
  const { dirtyFields } = form.formState;
  useEffect(() => {
    const clean = (Object.keys(values) as (keyof Typed)[]).filter((name) => !dirtyFields[name]);
    read.current = { ...read.current, ...Object.fromEntries(clean.map((name) => [name, values[name]])) };
  });

  const showStored = (stored: Typed, typed: Typed) => {
    read.current = { ...stored };
    for (const name of Object.keys(stored) as (keyof Typed)[])
      if (form.getValues(name) === typed[name]) form.resetField(name, { defaultValue: stored[name] });
  };
  const insert = (placeholder: Placeholder) => {
    const field = document.getElementById(textId) as HTMLTextAreaElement | null;
    if (!field) return;
    const put = inserted(field.value, field.selectionStart, field.selectionEnd, placeholder);
    form.setValue("text", put.text, { shouldDirty: true, shouldValidate: true });
    field.focus();
    field.setSelectionRange(put.caret, put.caret);
  };
  const typed = form.watch();
  return (
    <div className={classes.columns}>
      <div className={classes.edited}>
        <form className={classes.form} {...form.props}>
          <Checkbox
            label={t("courseSettings.certificates.on")}
            hint={t("courseSettings.certificates.onHint")}
            {...form.field("isOn")}
          />
          <RadioGroup
            label={t("courseSettings.certificates.basis")}
            value={typed.basis}
            options={(["COMPLETION", "GRADE"] as const).map((value) => ({
              value,
              label: t(`courseSettings.certificates.bases.${value}`),
              about: t(`courseSettings.certificates.basesAbout.${value}`),
            }))}
            onChange={(basis) => form.setValue("basis", basis, { shouldDirty: true })}
          />
          {typed.basis === "GRADE" && (
            <TextField
              label={t("courseSettings.certificates.percent")}
              className={classes.short}
              inputMode="numeric"
              autoComplete="off"
              {...form.field("minPercent", percentProblem)}
            />
          )}
          <TextField
            label={t("courseSettings.certificates.months")}
            description={t("courseSettings.certificates.monthsHint")}
            descriptionBelow
            inputMode="numeric"
            autoComplete="off"
            {...form.field("validMonths", monthsProblem)}
          />
          <Checkbox
            label={t("courseSettings.certificates.grade")}
            hint={t("courseSettings.certificates.gradeHint")}
            {...form.field("hasGrade")}
          />
          <Select
            label={t("courseSettings.certificates.language")}
            options={[
              { value: "RU", label: "Русский" },
              { value: "EN", label: "English" },
            ]}
            {...form.field("language")}
          />
          <TextField
            label={t("courseSettings.certificates.title")}
            aria-required
            autoComplete="off"
            {...form.field("heading", headingProblem)}
          />
          <div className={classes.text}>
            <TextArea
              id={textId}
              label={t("courseSettings.certificates.sentence")}
              description={t("courseSettings.certificates.sentenceHint")}
              rows={4}
              {...form.field("text", textProblem)}
            />
            <fieldset className={classes.placeholders}>
              <legend>{t("courseSettings.certificates.insert")}</legend>
              {PLACEHOLDERS.map((placeholder) => (
                <Button
                  key={placeholder}
                  variant="default"
                  size="compact"
                  onClick={() => insert(placeholder)}
                >
                  <code>{`{${placeholder}}`}</code>{" "}
                  {t(`courseSettings.certificates.placeholders.${placeholder}`)}
                </Button>
              ))}
            </fieldset>
          </div>
          <TextField
            label={t("courseSettings.certificates.signer")}
            description={t("courseSettings.certificates.signerHint")}
            descriptionBelow
            autoComplete="off"
            {...form.field("signer", signerProblem)}
          />
          <Colours
            accent={typed.accent}
            background={typed.background}
            fields={{ accent: form.field("accent"), background: form.field("background") }}
            onPick={({ accent, background }) => {
              form.setValue("accent", accent, { shouldDirty: true });
              form.setValue("background", background, { shouldDirty: true });
            }}
          />
          <Button type="submit" className={classes.save} loading={form.isBusy} disabled={!form.isDirty}>
            {t("courseSettings.certificates.save")}
          </Button>
        </form>
        {(["LOGO", "SIGNATURE"] as const).map((picture) => (
          <PictureOfDesign
            key={picture}
            courseId={course.id}
            picture={picture}
            url={picture === "LOGO" ? design.logoUrl : design.signatureUrl}
            onChanged={onChanged}
          />
        ))}
      </div>
      <div className={classes.shown}>
        <CertificatePreview
          design={typed}
          courseTitle={course.title}
          logoUrl={design.logoUrl}
          signatureUrl={design.signatureUrl}
        />
        <SampleLink design={design} />
        {form.isDirty && <p className={classes.about}>{t("courseSettings.certificates.sampleSaved")}</p>}
      </div>
    </div>
  );
}
