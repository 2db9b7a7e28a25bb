import { useMutation, useQuery } from "@apollo/client/react";
import { pageTitle } from "../course/pageTitle";
import { QueryState } from "../errors/QueryState";
import { useTranslation } from "../i18n/useTranslation";
import { Checkbox } from "../ui/Checkbox";
import { Dialog } from "../ui/Dialog";
import { TextSkeleton } from "../ui/Skeletons";
import { toastFailure, toastSuccess } from "../ui/toasts";
import {
  PageQuestionRulesDocument,
  type PageQuestionRulesQuery,
  SetPageQuestionsDocument,
} from "./CourseQuestions.generated";
import classes from "./PageQuestionsDialog.module.css";

interface Props {
  /** The page. */
  id: string;
  /** Its title; read with the rules if it is left out. */
  title?: string;
  onClose: () => void;
}

/** Switches the questions under a page on and off. A change is saved at once. */
export default function PageQuestionsDialog({ id, title, onClose }: Props) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(PageQuestionRulesDocument, {
    variables: { pageId: id },
    fetchPolicy: "cache-and-network",
  });
  const rules = data?.page.discussionRules;
  const shown = title ?? (data && pageTitle(data.page, t));
  return (
    <Dialog
      open
      onClose={onClose}
      title={
        shown === undefined
          ? t("courseQuestions.page.switch")
          : t("courseQuestions.page.title", { title: shown })
      }
    >
      <div className={classes.body}>
        {rules ? (
          <Switch
            pageId={id}
            rules={rules}
            isOnInCourse={data.page.course.discussionSettings?.isOn ?? true}
          />
        ) : data ? (
          <p className={classes.text}>{t("courseQuestions.page.noRight")}</p>
        ) : (
          <QueryState
            error={error}
            retry={() => void refetch().catch(() => undefined)}
            heading="p"
            loading={<TextSkeleton lines={3} />}
          />
        )}
      </div>
    </Dialog>
  );
}

interface SwitchProps {
  pageId: string;
  rules: NonNullable<PageQuestionRulesQuery["page"]["discussionRules"]>;
  isOnInCourse: boolean;
}

function Switch({ pageId, rules, isOnInCourse }: SwitchProps) {
  const { t } = useTranslation();
  const [set, { loading }] = useMutation(SetPageQuestionsDocument);
  const { isOnPage } = rules;
  const change = async (isOn: boolean) => {
    if (loading) return;
    const optimisticResponse = {
      setPageDiscussions: {
        __typename: "SetPageDiscussionsPayload",
        page: {
          __typename: "Page",
          id: pageId,
          discussionRules: { ...rules, isOn: isOn && isOnInCourse, isOnPage: isOn },
        },
      },
    };
    try {
      await set({ variables: { input: { pageId, isOn } }, optimisticResponse });
      toastSuccess(t(isOn ? "courseQuestions.page.turnedOn" : "courseQuestions.page.turnedOff"));
    } catch (error) {
      toastFailure(error);
    }
  };
  return (
    <>
      <Checkbox
        label={t("courseQuestions.page.switch")}
        hint={t(isOnPage ? "courseQuestions.page.on" : "courseQuestions.page.off")}
        checked={isOnPage}
        onChange={(event) => void change(event.currentTarget.checked)}
      />
      {!isOnInCourse && <p className={classes.text}>{t("courseQuestions.page.offInCourse")}</p>}
    </>
  );
}
