import { useMutation, useQuery } from "@apollo/client/react";
import { QueryState } from "../errors/QueryState";
import { useTranslation } from "../i18n/useTranslation";
import { Checkbox } from "../ui/Checkbox";
import { Dialog } from "../ui/Dialog";
import { TextSkeleton } from "../ui/Skeletons";
import { toastFailure, toastSuccess } from "../ui/toasts";
import { PageQuestionRulesDocument, SetPageQuestionsDocument } from "./CourseQuestions.generated";
import classes from "./PageQuestionsDialog.module.css";

interface Props {
  /** The page. */
  id: string;
  title: string;
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
  return (
    <Dialog open onClose={onClose} title={t("courseQuestions.page.title", { title })}>
      <div className={classes.body}>
        {rules ? (
          <Switch
            pageId={id}
            isOnPage={rules.isOnPage}
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
  isOnPage: boolean;
  isOnInCourse: boolean;
}

function Switch({ pageId, isOnPage, isOnInCourse }: SwitchProps) {
  const { t } = useTranslation();
  const [set, { loading }] = useMutation(SetPageQuestionsDocument, { onError: toastFailure });
  const change = async (isOn: boolean) => {
    if (loading) return;
    const optimisticResponse = {
      setPageDiscussions: {
        __typename: "SetPageDiscussionsPayload",
        page: {
          __typename: "Page",
          id: pageId,
          discussionRules: {
            __typename: "DiscussionRules",
            isOn: isOn && isOnInCourse,
            isOnPage: isOn,
          },
        },
      },
    };
    const { data } = await set({ variables: { input: { pageId, isOn } }, optimisticResponse });
    if (data) toastSuccess(t(isOn ? "courseQuestions.page.turnedOn" : "courseQuestions.page.turnedOff"));
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
