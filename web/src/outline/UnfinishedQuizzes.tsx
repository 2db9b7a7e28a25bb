import { useQuery } from "@apollo/client/react";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { QueryState } from "../errors/QueryState";
import { useTranslation } from "../i18n/useTranslation";
import { missingParts } from "../quiz-builder/completeness";
import { MissingList } from "../quiz-builder/MissingList";
import { handInOf, readQuiz } from "../quiz-builder/model";
import { Dialog } from "../ui/Dialog";
import { ListSkeleton } from "../ui/Skeletons";
import type { Refused } from "./outlineStore";
import { entryTitle } from "./titles";
import type { TreeEntry } from "./tree";
import { UnfinishedQuizDocument } from "./UnfinishedQuizzes.generated";
import classes from "./UnfinishedQuizzes.module.css";

interface Props {
  quizzes: readonly (Refused & { entry: TreeEntry })[];
  onClose: () => void;
}

/** The quizzes that were refused publication, with everything that each lacks and links to the places. */
export default function UnfinishedQuizzes({ quizzes, onClose }: Props) {
  const { t } = useTranslation();
  return (
    <Dialog open onClose={onClose} title={t("outline.unfinished.title", { count: quizzes.length })}>
      <p>{t("outline.unfinished.text")}</p>
      {quizzes.map((quiz) => (
        <UnfinishedQuiz key={quiz.id} {...quiz} />
      ))}
    </Dialog>
  );
}

function UnfinishedQuiz({ id, reason, entry }: Props["quizzes"][number]) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(UnfinishedQuizDocument, {
    variables: { id },
    fetchPolicy: "network-only",
  });
  const missing = data && missingParts(readQuiz(data.page.authorQuiz));
  const title = entryTitle(entry, t);
  const params = { pageId: id };
  const toQuiz = (content: ReactNode) => (
    <Link to="/edit-page/$pageId" params={params}>
      {content}
    </Link>
  );
  return (
    <section aria-label={title}>
      <h3 className={classes.title}>{title}</h3>
      {missing ? (
        <MissingList
          missing={missing}
          isAssignment={handInOf(readQuiz(data.page.authorQuiz)) !== null}
          leadToQuiz={toQuiz}
          leadTo={(question, content) => (
            <Link to="/edit-page/$pageId" params={params} hash={`question-${question + 1}`}>
              {content}
            </Link>
          )}
        />
      ) : (
        <QueryState
          error={error}
          retry={() => void refetch()}
          heading="p"
          loading={<ListSkeleton rows={2} height="3rem" />}
        />
      )}
      {/* A rule of the server that is not known here. */}
      {missing?.length === 0 && <p>{toQuiz(reason)}</p>}
    </section>
  );
}
