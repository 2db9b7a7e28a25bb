import { QueryState } from "../errors/QueryState";
import { useTranslation } from "../i18n/useTranslation";
import { PageButtons } from "../ui/PageButtons";
import { ListSkeleton } from "../ui/Skeletons";
import classes from "./BankPicker.module.css";
import { authorQuestion, type BankQuestion, wordsOf } from "./bank";
import { Filters, type TagCount } from "./Filters";
import type { BankFilter } from "./filter";
import { useBankQuestions } from "./useBankQuestions";

interface PickQuestionsProps {
  bankId: string;
  /** The tags of the bank. */
  tags: readonly TagCount[];
  filter: BankFilter;
  onFilter: (filter: BankFilter) => void;
  picked: ReadonlyMap<string, BankQuestion>;
  onPick: (picked: ReadonlyMap<string, BankQuestion>) => void;
}

/** Chooses questions of a bank one by one; the choice stays when the search or the page changes. */
export function PickQuestions({ bankId, tags, filter, onFilter, picked, onPick }: PickQuestionsProps) {
  const { t } = useTranslation();
  const { questions, total, pages, isStale, error, refetch } = useBankQuestions(bankId, filter);
  const page = Math.min(filter.page, pages);
  const toPage = (page: number) => onFilter({ ...filter, page });
  return (
    <>
      <Filters filter={filter} tags={tags} onChange={onFilter} />
      {(error || !questions) && (
        <QueryState
          error={error}
          retry={refetch}
          heading="p"
          loading={<ListSkeleton rows={4} height="3rem" />}
        />
      )}
      {questions && (
        <>
          <p role="status" className={classes.about}>
            {total > 0 ? t("banks.bank.found", { count: total }) : t("banks.bank.nothingFound")}
          </p>
          {questions.length > 0 && (
            <fieldset className={classes.questions} aria-busy={isStale || undefined}>
              <legend>{t("banks.bank.questions")}</legend>
              {questions.map((question) => (
                <label key={question.id}>
                  <input
                    type="checkbox"
                    checked={picked.has(question.id)}
                    onChange={(event) => {
                      const next = new Map(picked);
                      if (event.currentTarget.checked) next.set(question.id, question);
                      else next.delete(question.id);
                      onPick(next);
                    }}
                  />
                  <span className={classes.words}>
                    {wordsOf(authorQuestion(question)) || t("banks.bank.untitled")}
                    <span className={classes.kind}>
                      {[t(`quizBuilder.kinds.${authorQuestion(question).type}`), ...question.tags].join(
                        " · ",
                      )}
                      {!question.isComplete && (
                        <span className={classes.lacking}>{t("banks.bank.incomplete")}</span>
                      )}
                    </span>
                  </span>
                </label>
              ))}
            </fieldset>
          )}
          <PageButtons
            label={t("banks.picker.pages")}
            page={page}
            pages={pages}
            onPage={toPage}
            className={classes.pages}
            variant="subtle"
          />
        </>
      )}
      <p className={classes.about}>{t("banks.picker.copies")}</p>
    </>
  );
}
