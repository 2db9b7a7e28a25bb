/** Texts of the search screen. */
export const search = {
  title: "Поиск по курсам",
  field: "Слова из текста",
  where: "Где искать",
  everywhere: "Во всех моих курсах",
  thisCourse: "В этом курсе",
  blank: "Что найти?",
  blankText:
    "Введите одно или несколько слов. Поиск идёт по тексту страниц, подписям, коду и вопросам тестов всех ваших курсов и находит слово в любой форме: по запросу «цикл» найдутся и «циклы», и «циклом».",
  titles: "Курсы и уроки",
  results: "В тексте страниц",
  count_one: "{{count, number}} результат",
  count_few: "{{count, number}} результата",
  count_many: "{{count, number}} результатов",
  count_other: "{{count, number}} результата",
  shown_one: "Показано {{shown, number}} из {{count, number}} результата",
  shown_few: "Показано {{shown, number}} из {{count, number}} результатов",
  shown_many: "Показано {{shown, number}} из {{count, number}} результатов",
  shown_other: "Показано {{shown, number}} из {{count, number}} результата",
  more: "Показать ещё",
  draft: "Черновик",
  bank: "Банк вопросов",
  nothing: "Ничего не нашлось",
  nothingInTexts: "В тексте страниц ничего не нашлось",
  nothingText:
    "Проверьте, нет ли опечатки, или попробуйте другое слово. Чем меньше слов, тем больше найдётся.",
  searchEverywhere: "Искать во всех курсах",
};
