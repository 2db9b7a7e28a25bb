/** Texts of what the author chooses before publishing, and of what it changes for learners. */
export const publishing = {
  importance: {
    label: "Что это за изменение",
    CORRECTION: "Исправление",
    IMPORTANT: "Важное изменение",
    about: {
      CORRECTION: "Те, кто уже читал страницу, увидят на ней пометку, что текст изменился.",
      IMPORTANT:
        "Те, кто уже читал страницу, увидят её и на главной, в списке важных изменений, пока не прочтут снова.",
    },
  },
  past: {
    label: "Результаты прошлых попыток",
    KEEP: "Оставить результаты как есть",
    REGRADE: "Пересчитать результаты по новым вопросам",
    about: {
      KEEP: "По новым вопросам пойдут только попытки, начатые после публикации.",
      REGRADE: "Сданные ответы проверим заново. Пересчёт можно отменить в течение 30\u00a0дней.",
    },
  },
  removed: {
    label: "Удалённые вопросы в прошлых попытках",
    EXCLUDE: "Не считать удалённый вопрос",
    FULL_POINTS: "Засчитать его всем",
    about: {
      EXCLUDE: "Он не войдёт ни в баллы ученика, ни в общую сумму.",
      FULL_POINTS: "Все получат за него полный балл, как бы ни ответили.",
    },
  },
  consequences: {
    heading: "Что изменится в результатах",
    label: "Кто и как",
    nobody: "Ни у кого ничего не изменится",
    affected_one: "Изменится у {{count, number}} ученика",
    affected_few: "Изменится у {{count, number}} учеников",
    affected_many: "Изменится у {{count, number}} учеников",
    affected_other: "Изменится у {{count, number}} ученика",
    regraded_zero: "Пересчитывать нечего.",
    regraded_one: "Пересчитаем {{count, number}} попытку.",
    regraded_few: "Пересчитаем {{count, number}} попытки.",
    regraded_many: "Пересчитаем {{count, number}} попыток.",
    regraded_other: "Пересчитаем {{count, number}} попытки.",
    left_one:
      "{{count, number}} попытка останется как есть: в ней ещё не проверен ответ на удалённый вопрос.",
    left_few:
      "{{count, number}} попытки останутся как есть: в них ещё не проверены ответы на удалённый вопрос.",
    left_many:
      "{{count, number}} попыток останутся как есть: в них ещё не проверены ответы на удалённый вопрос.",
    left_other:
      "{{count, number}} попытки останутся как есть: в них ещё не проверены ответы на удалённый вопрос.",
    newer:
      "Пока вы смотрели, результаты изменились, поэтому ничего не опубликовано. Вот что изменится теперь.",
    learner: "Ученик",
    what: "Что изменится",
    before: "Было",
    after: "Станет",
    of: { course: "Прогресс курса", grade: "Оценка за курс" },
    score: "{{score, number(maximumFractionDigits: 2)}} из {{maxScore, number(maximumFractionDigits: 2)}}",
    percent: "{{value, number(maximumFractionDigits: 2)}} %",
    passed: "пройден",
    notPassed: "не пройден",
    none: "нет результата",
    more_one: "и ещё у {{count, number}} ученика",
    more_few: "и ещё у {{count, number}} учеников",
    more_many: "и ещё у {{count, number}} учеников",
    more_other: "и ещё у {{count, number}} ученика",
  },
  done: {
    regraded_zero: "Изменения опубликованы. Попытки пересчитаны, результаты остались прежними.",
    regraded_one:
      "Изменения опубликованы. Пересчёт изменил {{count, number}} результат; отменить его можно на вкладке «Оценки».",
    regraded_few:
      "Изменения опубликованы. Пересчёт изменил {{count, number}} результата; отменить его можно на вкладке «Оценки».",
    regraded_many:
      "Изменения опубликованы. Пересчёт изменил {{count, number}} результатов; отменить его можно на вкладке «Оценки».",
    regraded_other:
      "Изменения опубликованы. Пересчёт изменил {{count, number}} результата; отменить его можно на вкладке «Оценки».",
  },
};
