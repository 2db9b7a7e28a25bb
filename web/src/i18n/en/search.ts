/** Texts of the search screen. */
export const search = {
  title: "Search courses",
  field: "Words from the text",
  where: "Where to search",
  everywhere: "In all my courses",
  thisCourse: "In this course",
  blank: "What are you looking for?",
  blankText:
    "Type one or more words. The search covers the text, captions, code and quiz questions of all your courses and finds every form of a word: “loop” also finds “loops” and “looping”.",
  titles: "Courses and lessons",
  results: "In the text of pages",
  count_one: "{{count, number}} result",
  count_other: "{{count, number}} results",
  shown_one: "{{shown, number}} of {{count, number}} result shown",
  shown_other: "{{shown, number}} of {{count, number}} results shown",
  more: "Show more",
  draft: "Draft",
  bank: "Question bank",
  nothing: "No results",
  nothingInTexts: "No results in the text of pages",
  nothingText: "Check the spelling or try another word. Fewer words find more.",
  searchEverywhere: "Search all courses",
};
