import { account } from "./account.ts";
import { announcements } from "./announcements.ts";
import { banks, banksStates } from "./banks.ts";
import { courseQuestions } from "./course-questions.ts";
import { dates, datesStates } from "./dates.ts";
import { fileAnswers, fileStates } from "./files.ts";
import { grades, gradesStates } from "./grades.ts";
import { groups } from "./groups.ts";
import { hotspots } from "./hotspots.ts";
import { notes } from "./notes.ts";
import { notices } from "./notices.ts";
import { pageQuestions } from "./page-questions.ts";
import { previews } from "./previews.ts";
import { questionKinds } from "./question-kinds.ts";
import { quizzes } from "./quizzes.ts";
import { reading } from "./reading.ts";
import { regrades } from "./regrades.ts";
import { rubrics } from "./rubrics.ts";
import { search } from "./search.ts";
import { snapshots } from "./snapshots.ts";
import { states } from "./states.ts";
import { teaching } from "./teaching.ts";
import { transient } from "./transient.ts";
import { unpublished } from "./unpublished.ts";
import { writing } from "./writing.ts";

/** The screens that screens.e2e.ts checks with axe. */
export const screens = [
  ...account,
  ...notices,
  ...announcements,
  ...courseQuestions,
  ...notes,
  ...pageQuestions,
  ...banks,
  ...writing,
  ...unpublished,
  ...regrades,
  ...snapshots,
  ...teaching,
  ...groups,
  ...dates,
  ...grades,
  ...fileAnswers,
  ...rubrics,
  ...previews,
  ...reading,
  ...search,
];

/** The screens that `npm run screenshots` photographs. */
export const screenshotScreens = [
  ...screens,
  ...states,
  ...banksStates,
  ...datesStates,
  ...gradesStates,
  ...fileStates,
  ...quizzes,
  ...questionKinds,
  ...hotspots,
  ...transient,
];
