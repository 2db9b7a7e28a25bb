/** Texts of what the author chooses before publishing, and of what it changes for learners. */
export const publishing = {
  importance: {
    label: "What kind of change it is",
    CORRECTION: "Correction",
    IMPORTANT: "Important change",
    about: {
      CORRECTION: "Those who have read the page see a note on it that the text has changed.",
      IMPORTANT:
        "Those who have read the page also see it on their home screen, in the list of important changes, until they read it again.",
    },
  },
  past: {
    label: "Results of past attempts",
    KEEP: "Keep the results",
    REGRADE: "Regrade by the new questions",
    about: {
      KEEP: "Only attempts that begin after publishing get the new questions.",
      REGRADE: "Submitted answers are graded again. This can be undone within 30 days.",
    },
  },
  removed: {
    label: "Removed questions in past attempts",
    EXCLUDE: "Leave the removed question out",
    FULL_POINTS: "Give everyone its points",
    about: {
      EXCLUDE: "It counts neither in the learner’s points nor in the total.",
      FULL_POINTS: "Everyone gets full points for it, whatever they answered.",
    },
  },
  consequences: {
    heading: "What changes in the results",
    label: "Who and how",
    nobody: "Nothing changes for anyone",
    affected_one: "Changes for {{count, number}} learner",
    affected_other: "Changes for {{count, number}} learners",
    regraded_zero: "There is nothing to regrade.",
    regraded_one: "{{count, number}} attempt is regraded.",
    regraded_other: "{{count, number}} attempts are regraded.",
    left_one:
      "{{count, number}} attempt stays as it is: an answer to a removed question is not graded yet, or no points would be left.",
    left_other:
      "{{count, number}} attempts stay as they are: answers to a removed question are not graded yet, or no points would be left.",
    newer: "The results changed while you were looking, so nothing was published. This is what changes now.",
    learner: "Learner",
    what: "What changes",
    before: "Before",
    after: "After",
    of: { course: "Course progress", grade: "Course grade" },
    score: "{{score, number(maximumFractionDigits: 2)}} of {{maxScore, number(maximumFractionDigits: 2)}}",
    percent: "{{value, number(maximumFractionDigits: 2)}}%",
    passed: "passed",
    notPassed: "not passed",
    none: "no result",
    more_one: "and for {{count, number}} more learner",
    more_other: "and for {{count, number}} more learners",
  },
  done: {
    regraded_zero: "The changes are published. The attempts were regraded; all results stayed the same.",
    regraded_one:
      "The changes are published. Regrading changed {{count, number}} result; it can be undone on the Grades tab.",
    regraded_other:
      "The changes are published. Regrading changed {{count, number}} results; it can be undone on the Grades tab.",
  },
};
