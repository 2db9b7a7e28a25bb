import { useQuery } from "@apollo/client/react";
import { useRef, useState } from "react";
import { QueryState } from "../errors/QueryState";
import { useTranslation } from "../i18n/useTranslation";
import type { AuthorQuestion } from "../quiz-builder/model";
import { Button, ButtonLink } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { EmptyState } from "../ui/EmptyState";
import { RadioGroup } from "../ui/RadioGroup";
import { Select } from "../ui/Select";
import { ListSkeleton } from "../ui/Skeletons";
import { mayLeave } from "../ui/unsaved";
import { BankDocument } from "./Bank.generated";
import classes from "./BankPicker.module.css";
import { BanksDocument } from "./Banks.generated";
import { authorQuestion, type BankQuestion } from "./bank";
import { DrawQuestions } from "./DrawQuestions";
import { everything } from "./filter";
import { PickQuestions } from "./PickQuestions";

interface BankPickerProps {
  /** Takes copies of the chosen questions, in the order in which they were chosen. */
  onTake: (questions: { bankQuestionId: string; version: number; question: AuthorQuestion }[]) => void;
  /** Takes a draw: questions of the bank that have all the tags. */
  onDraw: (draw: {
    bankId: string;
    bankTitle: string;
    tags: string[];
    count: number;
    points: number;
  }) => void;
  onClose: () => void;
}

const WAYS = ["take", "draw"] as const;

/**
 * Chooses questions of a bank by name, or how many of them each attempt draws at random. Shows texts of `banks`, `quiz` and `quizBuilder`.
 */
export function BankPicker({ onTake, onDraw, onClose }: BankPickerProps) {
  const { t } = useTranslation();
  const [way, setWay] = useState<(typeof WAYS)[number]>("take");
  const [chosenId, setChosenId] = useState<string | null>(null);
  const [filter, setFilter] = useState(everything);
  /** The chosen questions, of all banks and pages. */
  const [picked, setPicked] = useState<ReadonlyMap<string, BankQuestion>>(new Map());
  const [tags, setTags] = useState<string[]>([]);
  const [count, setCount] = useState(5);
  const [points, setPoints] = useState(1);
  const { data, error, refetch } = useQuery(BanksDocument, { fetchPolicy: "cache-and-network" });
  const banks = data?.banks;
  const bank = banks?.find(({ id }) => id === chosenId) ?? banks?.[0];
  const details = useQuery(BankDocument, {
    variables: { id: bank?.id ?? "" },
    skip: bank === undefined,
    fetchPolicy: "cache-and-network",
  });
  const known = details.data?.bank.id === bank?.id ? (details.data?.bank.tags ?? []) : [];
  const root = useRef<HTMLDivElement>(null);
  const choose = async () => {
    // Asks about a number that cannot be read.
    if (!bank || !(await mayLeave(root.current ?? undefined))) return;
    if (way === "draw") onDraw({ bankId: bank.id, bankTitle: bank.title, tags, count, points });
    else
      onTake(
        [...picked.values()].map((question) => ({
          bankQuestionId: question.id,
          version: question.version,
          question: authorQuestion(question),
        })),
      );
  };
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={t("banks.picker.title")}
      actions={
        bank && (
          <>
            <Button variant="default" onClick={onClose}>
              {t("ui.cancel")}
            </Button>
            <Button disabled={way === "take" && picked.size === 0} onClick={() => void choose()}>
              {way === "take" ? t("banks.picker.take", { count: picked.size }) : t("banks.picker.draw")}
            </Button>
          </>
        )
      }
    >
      {!banks && (
        <QueryState
          error={error}
          retry={() => void refetch().catch(() => undefined)}
          heading="p"
          loading={<ListSkeleton rows={5} height="3rem" />}
        />
      )}
      {banks && !bank && (
        <EmptyState
          title={t("banks.none")}
          action={<ButtonLink to="/banks/{-$bankId}">{t("banks.picker.toBanks")}</ButtonLink>}
        >
          {t("banks.picker.noneText")}
        </EmptyState>
      )}
      {banks && bank && (
        <div ref={root} className={classes.picker}>
          <RadioGroup
            label={t("banks.picker.way")}
            value={way}
            onChange={setWay}
            options={WAYS.map((value) => ({ value, label: t(`banks.picker.ways.${value}`) }))}
          />
          <Select
            label={t("banks.picker.bank")}
            data-autofocus
            value={bank.id}
            onChange={(event) => {
              setChosenId(event.currentTarget.value);
              setFilter(everything);
              setTags([]);
            }}
            options={banks.map(({ id, title, questionsCount }) => ({
              value: id,
              label: `${title} · ${t("banks.questions", { count: questionsCount })}`,
            }))}
          />
          {way === "take" ? (
            <PickQuestions
              key={bank.id}
              bankId={bank.id}
              tags={known}
              filter={filter}
              onFilter={setFilter}
              picked={picked}
              onPick={setPicked}
            />
          ) : (
            <DrawQuestions
              bankId={bank.id}
              known={known}
              tags={tags}
              onTags={setTags}
              count={count}
              onCount={setCount}
              points={points}
              onPoints={setPoints}
            />
          )}
        </div>
      )}
    </Dialog>
  );
}
