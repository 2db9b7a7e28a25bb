import { withTexts } from "../i18n";

/** Load the code and the texts of the tabs. Those of the first one come with the screen. */
export const tabScreens = {
  settings: () =>
    withTexts(
      import("../course-settings/CourseSettings"),
      "courseSettings",
      "courseQuestions",
      "dates",
      "home",
      "imports",
    ),
  questions: () => withTexts(import("../course-questions/QuestionsTab"), "courseQuestions"),
  comments: () => withTexts(import("../comments/CommentsTab"), "comments"),
  trash: () => withTexts(import("../trash/TrashTab"), "trash"),
  snapshots: () => withTexts(import("../snapshots/SnapshotsTab"), "snapshots"),
  dates: () => withTexts(import("../dates/DatesTab"), "dates", "overrides"),
  grades: () => withTexts(import("../gradebook/GradesTab"), "dates", "forms", "students"),
  grading: () => withTexts(import("../grading/GradingTab"), "grading", "quiz", "students"),
  unpublished: () => withTexts(import("../unpublished/UnpublishedList"), "editor", "quizBuilder"),
  students: () =>
    withTexts(
      import("../students/StudentsTab"),
      "quiz",
      "students",
      "courseSettings",
      "dates",
      "overrides",
      "learning",
    ),
};
