import { useQuery } from "@apollo/client/react";
import { useState } from "react";
import { QueryState } from "../errors/QueryState";
import { useTranslation } from "../i18n/useTranslation";
import type { AuthorQuestion } from "../quiz-builder/model";
import { ButtonLink } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { EmptyState } from "../ui/EmptyState";
import { RadioGroup } from "../ui/RadioGroup";
import { ListSkeleton } from "../ui/Skeletons";
import { BanksDocument } from "./Banks.generated";
import { DrawQuestions } from "./DrawQuestions";
import { PickQuestions } from "./PickQuestions";

/** A question of a bank that a quiz takes a copy of. */
export interface TakenQuestion {
  bankQuestionId: string;
  version: number;
  question: AuthorQuestion;
}

/** Questions that each attempt draws at random. */
export interface BankDraw {
  bankId: string;
  bankTitle: string;
  /** Tags that a question must all have. */
  tags: string[];
  count: number;
  /** The points of each question. */
  points: number;
}

interface BankPickerProps {
  onTake: (questions: TakenQuestion[]) => void;
  onDraw: (draw: BankDraw) => void;
  onClose: () => void;
}

/** Chooses questions of a bank by name, or how many each attempt draws at random. Shows texts of `banks`, `quiz` and `quizBuilder`. */
export function BankPicker({ onTake, onDraw, onClose }: BankPickerProps) {
  const { t } = useTranslation();
  const [way, setWay] = useState<"take" | "draw">("take");
  const [chosenBank, setBank] = useState<string | null>(null);
  const { data, error, refetch } = useQuery(BanksDocument, { fetchPolicy: "cache-and-network" });
  const banks = data?.banks;
  const bank = banks?.find(({ id }) => id === chosenBank) ?? banks?.[0];
  const choice = (
    <RadioGroup
      label={t("banks.picker.way")}
      value={way}
      onChange={setWay}
      options={(["take", "draw"] as const).map((value) => ({ value, label: t(`banks.picker.ways.${value}`) }))}
    />
  );
  if (bank && banks) {
    const Way = way === "take" ? PickQuestions : DrawQuestions;
    return (
      <Way
        banks={banks}
        bank={bank}
        onBank={setBank}
        onTake={onTake}
        onDraw={onDraw}
        onClose={onClose}
        choice={choice}
      />
    );
  }
  return (
    <Dialog open wide onClose={onClose} title={t("banks.picker.title")}>
      {banks ? (
        <EmptyState title={t("banks.none")} action={<ButtonLink to="/banks">{t("banks.picker.toBanks")}</ButtonLink>}>
          {t("banks.picker.noneText")}
        </EmptyState>
      ) : (
        <QueryState
          error={error}
          retry={() => void refetch()}
          heading="p"
          loading={<ListSkeleton rows={5} height="3rem" />}
        />
      )}
    </Dialog>
  );
}
