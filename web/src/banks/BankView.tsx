import { useApolloClient } from "@apollo/client/react";
import { useNavigate } from "@tanstack/react-router";
import { lazy, type ReactNode, Suspense, useEffect, useEffectEvent, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { QueryState } from "../errors/QueryState";
import { useTranslation } from "../i18n/useTranslation";
import { type AuthorQuestion, KINDS, type Kind } from "../quiz-builder/model";
import { PasteDialog } from "../quiz-builder/PasteDialog";
import { IconUpload } from "../ui/authorIcons";
import { Button } from "../ui/Button";
import { Checkbox } from "../ui/Checkbox";
import { ConfirmDialog } from "../ui/ConfirmDialog";
import { EmptyState } from "../ui/EmptyState";
import { IconPlus, IconQuiz } from "../ui/icons";
import { IconPage, IconPeople } from "../ui/laterIcons";
import { type MenuItem, useMenu } from "../ui/Menu";
import { Pagination } from "../ui/Pagination";
import { Screen } from "../ui/Screen";
import { ListSkeleton } from "../ui/Skeletons";
import { toastSuccess } from "../ui/toasts";
import { mayLeave } from "../ui/unsaved";
import { type Bank_BankFragment, DeleteBankQuestionsDocument } from "./Bank.generated";
import { BankMenu } from "./BankMenu";
import classes from "./BankScreen.module.css";
import { type BankQuestion, inBatches } from "./bank";
import { dropDraft, useDraftOwner } from "./drafts";
import { Filters } from "./Filters";
import { type BankFilter, isNarrow } from "./filter";
import { NewQuestion } from "./NewQuestion";
import { OpenQuestion } from "./OpenQuestion";
import { QuestionActions } from "./QuestionActions";
import { QuestionRow } from "./QuestionRow";
import { ReadQuestion } from "./ReadQuestion";
import { useBankQuestions } from "./useBankQuestions";
import { useAddQuestions } from "./useQuestionEdit";

const ShareDialog = lazy(() => import("./ShareDialog").then((module) => ({ default: module.ShareDialog })));
const FileDialog = lazy(() => import("./FileDialog").then((module) => ({ default: module.FileDialog })));

interface BankViewProps {
  bank: Bank_BankFragment;
  trail: ReactNode;
  filter: BankFilter;
  onFilter: (filter: BankFilter) => void;
  /** The kind of the new question that an earlier visit began; it opens. */
  begun: Kind | null;
  /** The question that the address names, or that an earlier visit changed; it opens. */
  wanted: BankQuestion | undefined;
  /** The bank has changed: its tags, or the number of its questions. */
  onChanged: () => void;
}

/** What is open in the list: a question of the bank, or a new one. */
type Open = { question: BankQuestion } | { kind: Kind; turn: number };
type OpenDialog =
  | { kind: "share" }
  | { kind: "file" }
  | { kind: "paste"; text: string }
  | { kind: "delete"; ids: string[] };

/** The questions of a bank, with what its owner and editors do with them. */
export function BankView({ bank, trail, filter, onFilter, begun, wanted, onChanged }: BankViewProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const client = useApolloClient();
  const userId = useDraftOwner();
  const root = useRef<HTMLDivElement>(null);
  const mayEdit = bank.role !== "VIEWER";
  const [open, setOpen] = useState<Open | null>(null);
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  /** The selected questions, of all pages. */
  const [selected, setSelected] = useState<ReadonlyMap<string, BankQuestion>>(new Map());
  const list = useBankQuestions(bank.id, filter);
  const add = useAddQuestions(bank.id);
  const known = bank.tags.map(({ name }) => name);
  const openId = open && "question" in open ? open.question.id : null;
  // The open question stays in the list with what is typed, even when it does not match the filter any more.
  const listed = list.questions ?? [];
  const shown =
    open && "question" in open && !listed.some(({ id }) => id === openId)
      ? [open.question, ...listed]
      : listed;

  const beyond = list.isFresh && filter.page > list.pages;
  // A page number beyond the end leads to the last page.
  useEffect(() => {
    if (beyond) onFilter({ ...filter, page: list.pages });
  }, [beyond, filter, list.pages, onFilter]);

  const changed = () => {
    list.refetch();
    onChanged();
  };
  /** Asks before what is typed into the open question is lost. */
  const mayClose = async () => {
    const opened = root.current?.querySelector("[data-open-question]");
    return !opened || mayLeave(opened);
  };
  const toggle = async (question: BankQuestion) => {
    if (await mayClose()) setOpen(question.id === openId ? null : { question });
  };
  const showWanted = useEffectEvent(async (question: BankQuestion) => {
    if (question.id !== openId && (await mayClose())) setOpen({ question });
  });
  // Its contents change with each save, which must not open it once more.
  const wantedId = wanted?.id;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another question opens
  useEffect(() => {
    if (wanted) void showWanted(wanted);
  }, [wantedId]);
  const showBegun = useEffectEvent(() => {
    if (begun && mayEdit && !open) setOpen({ kind: begun, turn: 0 });
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: it opens once
  useEffect(() => showBegun(), [begun]);
  const close = (id: string) => {
    flushSync(() => setOpen(null));
    root.current?.querySelector<HTMLElement>(`[data-question="${id}"] [data-header]`)?.focus();
  };
  const begin = async (kind: Kind) => {
    if (await mayClose()) setOpen({ kind, turn: 0 });
  };
  const select = (questions: readonly BankQuestion[], isSelected: boolean) => {
    const next = new Map(selected);
    for (const question of questions) {
      if (isSelected) next.set(question.id, question);
      else next.delete(question.id);
    }
    setSelected(next);
  };
  const remove = async (ids: string[]) => {
    for (const questionIds of inBatches(ids)) {
      const input = { bankId: bank.id, questionIds };
      await client.mutate({ mutation: DeleteBankQuestionsDocument, variables: { input } });
    }
    for (const questionId of ids) dropDraft({ userId, bankId: bank.id, of: { questionId } });
    flushSync(() => {
      setSelected((before) => new Map([...before].filter(([id]) => !ids.includes(id))));
      if (openId !== null && ids.includes(openId)) setOpen(null);
      setDialog(null);
    });
    // The button that led here has gone with the questions or the selection.
    button.ref.current?.focus();
    toastSuccess(t("banks.question.deletion.done", { count: ids.length }));
    changed();
  };
  const addPasted = async (questions: AuthorQuestion[]) => {
    for (const batch of inBatches(questions)) await add(batch, filter.tags);
    changed();
    toastSuccess(t("banks.pasted.added", { count: questions.length }));
  };
  const { button, menu } = useMenu({
    label: t("banks.bank.add"),
    items: (): MenuItem[] => [
      ...KINDS.map((kind) => ({ label: t(`quizBuilder.kinds.${kind}`), onSelect: () => void begin(kind) })),
      {
        label: t("banks.bank.paste"),
        icon: <IconPage size={18} />,
        apart: true,
        onSelect: () => setDialog({ kind: "paste", text: "" }),
      },
      {
        label: t("banks.bank.file"),
        icon: <IconUpload size={18} />,
        onSelect: () => setDialog({ kind: "file" }),
      },
    ],
  });
  const isEmpty = bank.questionsCount === 0 && listed.length === 0 && !isNarrow(filter);
  const isPageSelected = listed.length > 0 && listed.every(({ id }) => selected.has(id));
  const onQuestions = (text: string) => setDialog({ kind: "paste", text });
  return (
    <Screen
      title={bank.title}
      trail={trail}
      {...(bank.role !== "OWNER" && {
        lead: t("banks.owner", { name: bank.owner.fullName ?? t("banks.nameless") }),
      })}
      action={
        <div className={classes.actions}>
          {mayEdit && (
            <>
              <Button
                variant="default"
                className={classes.share}
                icon={<IconPeople size={18} />}
                onClick={() => setDialog({ kind: "share" })}
              >
                {t("banks.sharing.open")}
              </Button>
              <Button {...button} icon={<IconPlus size={18} />}>
                {t("banks.bank.add")}
              </Button>
              {menu}
            </>
          )}
          <BankMenu
            bank={bank}
            onGone={() => void navigate({ to: "/banks/{-$bankId}", params: { bankId: undefined } })}
          />
        </div>
      }
    >
      <div ref={root} className={classes.body}>
        {!mayEdit && <p className={classes.note}>{t("banks.bank.readOnly")}</p>}
        {!isEmpty && <Filters filter={filter} tags={bank.tags} onChange={onFilter} />}
        {open && "kind" in open && (
          <section className={classes.fresh} aria-labelledby="new-question">
            <h2 id="new-question" className={classes.freshTitle}>
              {t("banks.question.new", { kind: t(`quizBuilder.kinds.${open.kind}`) })}
            </h2>
            <NewQuestion
              key={`${open.kind} ${open.turn}`}
              bankId={bank.id}
              kind={open.kind}
              known={known}
              initialTags={filter.tags}
              onAdded={(isNextWanted) => {
                setOpen(isNextWanted ? { ...open, turn: open.turn + 1 } : null);
                if (!isNextWanted) button.ref.current?.focus();
                changed();
              }}
              onClose={() => {
                setOpen(null);
                button.ref.current?.focus();
              }}
              onQuestions={onQuestions}
            />
          </section>
        )}
        {(!list.questions || list.error) && (
          <QueryState
            error={list.error}
            retry={list.refetch}
            heading="h2"
            loading={<ListSkeleton rows={8} height="4.25rem" />}
          />
        )}
        {list.questions && isEmpty && !open && (
          <EmptyState title={t("banks.bank.empty")} icon={<IconQuiz />} heading="h2">
            {t(mayEdit ? "banks.bank.emptyText" : "banks.bank.emptyReadOnly")}
          </EmptyState>
        )}
        {list.questions && !isEmpty && (
          <div className={classes.bar}>
            <p role="status">
              {isNarrow(filter)
                ? t("banks.bank.found", { count: list.total })
                : t("banks.questions", { count: list.total })}
            </p>
            {mayEdit && listed.length > 0 && (
              <Checkbox
                label={t("banks.selection.page")}
                checked={isPageSelected}
                onChange={(event) => select(listed, event.currentTarget.checked)}
              />
            )}
          </div>
        )}
        {list.questions && !isEmpty && listed.length === 0 && (
          <EmptyState title={t("banks.bank.nothingFound")} heading="h2">
            {t("banks.bank.nothingFoundText")}
          </EmptyState>
        )}
        {shown.length > 0 && (
          <ul
            // biome-ignore lint/a11y/noRedundantRoles: a list without markers is none to Safari unless told so
            role="list"
            className={classes.questions}
            aria-label={t("banks.bank.questions")}
            aria-busy={list.isStale || undefined}
          >
            {shown.map((question) => (
              <QuestionRow
                key={question.id}
                listed={question}
                isOpen={question.id === openId}
                onToggle={() => void toggle(question)}
                isSelected={mayEdit ? selected.has(question.id) : null}
                onSelect={(isSelected) => select([question], isSelected)}
              >
                {(stored) =>
                  mayEdit ? (
                    <OpenQuestion
                      stored={stored}
                      known={known}
                      onChanged={changed}
                      onDelete={() => setDialog({ kind: "delete", ids: [stored.id] })}
                      onClose={() => close(stored.id)}
                      onQuestions={onQuestions}
                      onNext={() => void begin(stored.kind as Kind)}
                    />
                  ) : (
                    <ReadQuestion stored={stored} />
                  )
                }
              </QuestionRow>
            ))}
          </ul>
        )}
        <Pagination
          label={t("banks.bank.pages")}
          shown={Math.min(filter.page, list.pages)}
          pages={list.pages}
        />
        {selected.size > 0 && (
          <QuestionActions
            bankId={bank.id}
            // The tags of a selected question may have changed since.
            selected={
              new Map([...selected].map(([id, one]) => [id, listed.find((now) => now.id === id) ?? one]))
            }
            known={known}
            onTagged={() => {
              setSelected(new Map());
              changed();
            }}
            onDelete={() => setDialog({ kind: "delete", ids: [...selected.keys()] })}
            onClear={() => setSelected(new Map())}
          />
        )}
      </div>
      <Suspense fallback={null}>
        {dialog?.kind === "share" && <ShareDialog bank={bank} onClose={() => setDialog(null)} />}
        {dialog?.kind === "file" && (
          <FileDialog bankId={bank.id} onAdded={changed} onClose={() => setDialog(null)} />
        )}
      </Suspense>
      {dialog?.kind === "paste" && (
        <PasteDialog
          subject={bank.id}
          initialText={dialog.text}
          save={addPasted}
          onAdd={() => setDialog(null)}
          onClose={() => setDialog(null)}
        />
      )}
      <ConfirmDialog
        open={dialog?.kind === "delete"}
        onClose={() => setDialog(null)}
        title={t("banks.question.deletion.title", {
          count: dialog?.kind === "delete" ? dialog.ids.length : 1,
        })}
        confirm={t("banks.question.deletion.confirm")}
        danger
        onConfirm={() => (dialog?.kind === "delete" ? remove(dialog.ids) : undefined)}
      >
        <p>{t("banks.question.deletion.text")}</p>
      </ConfirmDialog>
    </Screen>
  );
}
