import type { AuthorQuestion } from "../quiz-builder/model";

interface BankPickerProps {
  onTake: (questions: { bankQuestionId: string; version: number; question: AuthorQuestion }[]) => void;
  onDraw: (draw: {
    bankId: string;
    bankTitle: string;
    tags: string[];
    count: number;
    points: number;
  }) => void;
  onClose: () => void;
}

/** Chooses questions of a bank to copy, or a draw from it. */
export function BankPicker(_props: BankPickerProps) {
  return null;
}
