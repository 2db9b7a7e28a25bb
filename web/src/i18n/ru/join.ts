/** Texts of enrolling from the public page of a course. */
export const join = {
  title: "Запись на курс",
  opening: "Открываем курс…",
  start: "Начать",
  consent: "Команда курса увидит ваше имя, email и то, что вы прошли.",
  closed: "Запись на курс закончилась.",
  done: "Вы записаны на курс «{{course}}».",
};
