import { useMutation, useQuery } from "@apollo/client/react";
import { useRef } from "react";
import { tagsOf } from "../banks/filter";
import { LoadFailure } from "../errors/LoadFailure";
import { FormDialog } from "../forms/FormDialog";
import { titleProblem } from "../forms/rules";
import { useGuardedForm } from "../forms/useGuardedForm";
import { useTranslation } from "../i18n/useTranslation";
import { Dialog } from "../ui/Dialog";
import { Select } from "../ui/Select";
import { SkeletonBlock } from "../ui/SkeletonBlock";
import { TextField } from "../ui/TextField";
import { toastSuccess } from "../ui/toasts";
import type { AuthorQuestion, Source } from "./model";
import { NewBankForQuestionsDocument, QuizBanksDocument, SaveToBankDocument } from "./QuizBanks.generated";
import classes from "./SaveToBankDialog.module.css";
import type { QuizBank } from "./useBanks";

/** The value of the choice of a bank that does not exist yet. */
const NEW = "new";

interface SaveToBankDialogProps {
  pageId: string;
  questions: readonly AuthorQuestion[];
  /** Takes the sources that the saved questions now have, by the id of the question. */
  onSaved: (sources: ReadonlyMap<string, Source>) => void;
  onClose: () => void;
}

/** Saves questions of a quiz in a bank. */
export function SaveToBankDialog(props: SaveToBankDialogProps) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(QuizBanksDocument, { fetchPolicy: "cache-and-network" });
  if (data) return <SaveForm {...props} banks={data.banks.filter(({ role }) => role !== "VIEWER")} />;
  return (
    <Dialog
      open
      onClose={props.onClose}
      title={t("quizBuilder.toBank.title", { count: props.questions.length })}
    >
      {error ? (
        <LoadFailure error={error} retry={() => void refetch().catch(() => undefined)} heading="p" />
      ) : (
        <SkeletonBlock height="8rem" />
      )}
    </Dialog>
  );
}

function SaveForm({
  pageId,
  questions,
  banks,
  onSaved,
  onClose,
}: SaveToBankDialogProps & { banks: readonly QuizBank[] }) {
  const { t } = useTranslation();
  const [create] = useMutation(NewBankForQuestionsDocument);
  const [save] = useMutation(SaveToBankDocument);
  /** The bank of an earlier try that failed afterwards: the next one does not create another. */
  const made = useRef<{ title: string; id: string } | null>(null);
  const bankFor = async (title: string) => {
    if (made.current?.title === title) return made.current.id;
    const { data } = await create({
      variables: { input: { title } },
      refetchQueries: [QuizBanksDocument],
    });
    if (!data) throw new TypeError("The server answered with nothing");
    const { id } = data.createBank.bank;
    made.current = { title, id };
    return id;
  };
  const form = useGuardedForm({
    name: "save-to-bank",
    subject: pageId,
    defaultValues: { bank: banks[0]?.id ?? NEW, title: "", tags: "" },
    isOnce: true,
    save: async ({ bank, title, tags }) => {
      const bankId = bank === NEW ? await bankFor(title.trim()) : bank;
      const names = tagsOf(tags);
      const input = {
        bankId,
        questions: questions.map(({ source: _, ...question }) => ({ question, tags: names })),
      };
      const { data } = await save({ variables: { input } });
      if (!data) throw new TypeError("The server answered with nothing");
      return data.addBankQuestions;
    },
    onSaved: ({ questions: saved, bank }) => {
      toastSuccess(t("quizBuilder.toBank.saved", { count: saved.length, bank: bank.title }));
      const sources = questions.flatMap(({ id }, index): [string, Source][] => {
        const one = saved[index];
        return one ? [[id, { question_id: one.id, version: one.version }]] : [];
      });
      onSaved(new Map(sources));
    },
    close: onClose,
  });
  const isNew = form.watch("bank") === NEW;
  return (
    <FormDialog
      title={t("quizBuilder.toBank.title", { count: questions.length })}
      form={form}
      submit={t("quizBuilder.toBank.save")}
      className={classes.form}
      onClose={onClose}
    >
      <Select
        label={t("quizBuilder.draw.bank")}
        data-autofocus
        options={[
          ...banks.map(({ id, title }) => ({ value: id, label: title })),
          { value: NEW, label: t("quizBuilder.toBank.newBank") },
        ]}
        {...form.field("bank")}
      />
      {isNew && (
        <TextField
          label={t("quizBuilder.toBank.newTitle")}
          autoComplete="off"
          {...form.field("title", titleProblem)}
        />
      )}
      <TextField
        label={t("quizBuilder.toBank.tags")}
        description={t("quizBuilder.toBank.tagsHint")}
        autoComplete="off"
        {...form.field("tags")}
      />
      <p className={classes.hint}>{t("quizBuilder.toBank.hint")}</p>
    </FormDialog>
  );
}
