import { useApolloClient, useMutation, useQuery } from "@apollo/client/react";
import { useEffect, useRef } from "react";
import { QueryState } from "../errors/QueryState";
import { useGuardedForm } from "../forms/useGuardedForm";
import { useTranslation } from "../i18n/useTranslation";
import { Button } from "../ui/Button";
import { Checkbox } from "../ui/Checkbox";
import { Section } from "../ui/Section";
import { TextSkeleton } from "../ui/Skeletons";
import { TextArea } from "../ui/TextArea";
import { toastSuccess } from "../ui/toasts";
import { useReadAgain } from "../unpublished/useReadAgain";
import {
  QuestionSettingsDocument,
  type QuestionSettingsQuery,
  SetQuestionsDocument,
} from "./CourseQuestions.generated";
import classes from "./QuestionSettings.module.css";
import { isSameWords, mergeWords, textOf, wordsOf, wordsProblem } from "./words";

/** The section of questions in the settings of a course, for the owner and teachers. */
export function QuestionSettings({ courseId }: { courseId: string }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(QuestionSettingsDocument, {
    variables: { courseId },
    fetchPolicy: "cache-and-network",
  });
  useReadAgain(refetch);
  const settings = data?.course.discussionSettings;
  return (
    <Section title={t("courseQuestions.settings.heading")} text={t("courseQuestions.settings.text")}>
      {settings ? (
        <SettingsForm courseId={courseId} settings={settings} />
      ) : (
        <QueryState
          error={error}
          retry={() => void refetch().catch(() => undefined)}
          heading="p"
          loading={<TextSkeleton lines={8} />}
        />
      )}
    </Section>
  );
}

type Settings = NonNullable<QuestionSettingsQuery["course"]["discussionSettings"]>;

const FLAGS = ["isOn", "allowsAnonymous", "isPerGroup"] as const;

function SettingsForm({ courseId, settings }: { courseId: string; settings: Settings }) {
  const { t } = useTranslation();
  const client = useApolloClient();
  const [set] = useMutation(SetQuestionsDocument);
  const values = {
    isOn: settings.isOn,
    allowsAnonymous: settings.allowsAnonymous,
    isPerGroup: settings.isPerGroup,
    words: textOf(settings.words),
  };
  /** The words that the form showed before they were changed in it. */
  const read = useRef(settings.words);
  const form = useGuardedForm({
    name: "course-questions",
    subject: courseId,
    values,
    save: async (typed) => {
      const flags = FLAGS.filter((name) => typed[name] !== settings[name]);
      const words = wordsOf(typed.words);
      const changesWords = !isSameWords(words, read.current);
      // A colleague may have changed the words since they were read; each of the other settings is sent only if it was changed here.
      const stored = changesWords ? await readWords() : read.current;
      const isChangedElsewhere = !isSameWords(stored, read.current);
      // What was typed keeps its order if nobody else has changed anything.
      const merged = isChangedElsewhere ? mergeWords(read.current, words, stored) : words;
      await set({
        variables: {
          input: {
            courseId,
            ...Object.fromEntries(flags.map((name) => [name, typed[name]])),
            ...(changesWords && { words: merged }),
          },
        },
      });
      read.current = merged;
      return { words: merged, isMerged: isChangedElsewhere };
    },
    onSaved: ({ words, isMerged }, typed) => {
      // The field shows the stored words: each once, and including those of the colleague.
      if (form.getValues("words") === typed.words) form.resetField("words", { defaultValue: textOf(words) });
      toastSuccess(t(isMerged ? "courseQuestions.settings.merged" : "courseQuestions.settings.saved"));
    },
    refusalAt: "words",
  });
  const isTyped = form.formState.dirtyFields.words === true;
  useEffect(() => {
    if (!isTyped) read.current = settings.words;
  }, [isTyped, settings.words]);
  const readWords = async () => {
    const { data } = await client.query({
      query: QuestionSettingsDocument,
      variables: { courseId },
      fetchPolicy: "no-cache",
      context: { queryDeduplication: false },
    });
    return data?.course.discussionSettings?.words ?? read.current;
  };
  return (
    <form className={classes.form} {...form.props}>
      <Checkbox
        label={t("courseQuestions.settings.on")}
        hint={t("courseQuestions.settings.onHint")}
        {...form.register("isOn")}
      />
      <Checkbox
        label={t("courseQuestions.settings.anonymous")}
        hint={t("courseQuestions.settings.anonymousHint")}
        {...form.register("allowsAnonymous")}
      />
      <Checkbox
        label={t("courseQuestions.settings.perGroup")}
        hint={t("courseQuestions.settings.perGroupHint")}
        {...form.register("isPerGroup")}
      />
      <TextArea
        label={t("courseQuestions.settings.words")}
        description={t("courseQuestions.settings.wordsHint")}
        rows={4}
        autoComplete="off"
        spellCheck={false}
        {...form.field("words", problemOf)}
      />
      <Button type="submit" className={classes.start} loading={form.isBusy} disabled={!form.isDirty}>
        {t("courseQuestions.settings.save")}
      </Button>
    </form>
  );
}

const problemOf = (text: string) => {
  const problem = wordsProblem(wordsOf(text));
  return problem && (`courseQuestions.settings.${problem}` as const);
};
