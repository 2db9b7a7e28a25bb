/** Texts of question banks. */
export const banks = {
  title: "Банки вопросов",
};
