/** Texts of question banks. */
export const banks = {
  title: "Question banks",
};
