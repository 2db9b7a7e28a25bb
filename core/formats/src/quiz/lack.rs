//! The reasons why a quiz is incomplete and cannot be published, with their messages.

use super::formula::{Flaw, FormulaError, MAX_PARAMETER_NAME, Unreadable, ValueError};
use super::problem::words;

/// A reason why a quiz is incomplete.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lack {
    Questions,
    Points,
    Prompt,
    Content,
    RightOption,
    OnlyRightOption,
    /// The weights of a single choice contradict its right option.
    WeightsOfOne,
    /// The weights of a multiple choice contradict its right options.
    WeightsOfSeveral,
    Accepted,
    Value,
    Picture,
    Zones,
    /// A formula question is incomplete.
    Formula(Flaw),
    Pairs,
    Items,
    Blanks,
    BlankInText,
    BlankDefined,
    BlankOnce,
    BlankAnswer,
    Criteria,
    Levels,
    RubricPoints,
    /// A draw from a bank that has too few questions.
    Drawable,
    /// An assignment without points.
    HandInPoints,
    /// An assignment that takes neither a text nor files nor links.
    Way,
}

impl Lack {
    pub(super) fn words(self, question: Option<usize>) -> (String, String) {
        let (en, ru) = match self {
            Self::Questions => words("the quiz has no questions", "в тесте нет вопросов"),
            Self::Points => words("no question is worth any points", "ни один вопрос не приносит баллов"),
            Self::Prompt => words("the question is not written", "не написан текст вопроса"),
            Self::Content => words("this is empty", "здесь пусто"),
            Self::RightOption => words("no option is marked as right", "не отмечен верный вариант"),
            Self::OnlyRightOption => words(
                "only one option may be right where one is chosen",
                "в вопросе с одним ответом верным может быть только один вариант",
            ),
            Self::WeightsOfOne => words(
                "the right option should have a weight of 100, and every other option less",
                "вес верного варианта должен быть 100, а вес любого другого — меньше",
            ),
            Self::WeightsOfSeveral => words(
                "the right options should have weights above 0, and no others",
                "вес больше 0 должен быть у всех верных вариантов и только у них",
            ),
            Self::Accepted => words("there is no accepted answer", "нет ни одного принимаемого ответа"),
            Self::Picture => words("there is no picture", "нет изображения"),
            Self::Zones => words("no right zone is marked", "не обведена ни одна верная область"),
            Self::Value => words("there is no right number", "не указано верное число"),
            Self::Formula(flaw) => formula(flaw),
            Self::Pairs => words("there should be at least 2 pairs", "нужно хотя бы две пары"),
            Self::Items => words(
                "there should be at least 2 items to put in order",
                "нужно хотя бы два элемента",
            ),
            Self::Blanks => words("the text has no blanks", "в тексте нет пропусков"),
            Self::BlankInText => words("this blank is not in the text", "этого пропуска нет в тексте"),
            Self::BlankDefined => words(
                "a blank of the text has no answer",
                "для одного из пропусков в тексте не задан ответ",
            ),
            Self::BlankOnce => words(
                "a blank stands in the text twice",
                "один и тот же пропуск стоит в тексте дважды",
            ),
            Self::BlankAnswer => words("this blank has no right answer", "у пропуска нет верного ответа"),
            Self::Criteria => words("the rubric has no criteria", "нет ни одного критерия оценки"),
            Self::Levels => words("the criterion has no levels", "у критерия нет уровней"),
            Self::Drawable => words(
                "the bank has too few questions to draw from",
                "в банке не хватает вопросов для случайного выбора",
            ),
            Self::HandInPoints => words("the assignment is worth no points", "за задание нельзя получить баллы"),
            Self::Way => words(
                "nothing can be handed in: accept a text, files or links",
                "сдать нечего: разрешите текст, файлы или ссылки",
            ),
            Self::RubricPoints => words(
                "the points of the question are not the sum of the best levels of its rubric",
                "баллы за вопрос не равны сумме лучших уровней по критериям",
            ),
        };
        match question {
            Some(number) => (format!("Question {number}: {en}"), format!("Вопрос {number}: {ru}")),
            None => (capital(&en), capital(&ru)),
        }
    }
}

fn formula(flaw: Flaw) -> (String, String) {
    match flaw {
        Flaw::NoParameters => words("the formula has no parameters", "у формулы нет параметров"),
        Flaw::BadName(_) => (
            format!(
                "the name of a parameter is a Latin letter, then Latin letters, digits and _, at most {MAX_PARAMETER_NAME}, \
                 and not the name of a function"
            ),
            format!(
                "имя параметра начинается с латинской буквы, дальше — латинские буквы, цифры и _, не больше {MAX_PARAMETER_NAME} \
                 символов; имена функций заняты"
            ),
        ),
        Flaw::RepeatedName(_) => words("two parameters have the same name", "у двух параметров одно имя"),
        Flaw::NoValues(_) => words(
            "there is no value between the bounds of a parameter",
            "между границами параметра нет ни одного значения",
        ),
        Flaw::NoExpression => words("there is no expression for the answer", "нет выражения для ответа"),
        Flaw::NotShown(_) => words(
            "a parameter of the expression is not in the text of the question",
            "параметра из выражения нет в тексте вопроса",
        ),
        Flaw::Unreadable(FormulaError { what, at }) => match what {
            Unreadable::Unexpected => (
                format!("the expression cannot be read at character {at}"),
                format!("выражение не удалось разобрать, символ {at}"),
            ),
            Unreadable::UnknownName => (
                format!("the expression has a name that is neither a parameter nor a function, at character {at}"),
                format!("в выражении есть имя, которое не параметр и не функция, символ {at}"),
            ),
            Unreadable::Arguments => (
                format!("a function of the expression has a wrong number of arguments, at character {at}"),
                format!("у функции в выражении другое число аргументов, символ {at}"),
            ),
            Unreadable::TooLong | Unreadable::TooDeep => {
                words("the expression is too complex", "выражение слишком сложное")
            }
        },
        Flaw::NoResult(error) => match error {
            ValueError::DivisionByZero => words(
                "for some values the expression divides by zero",
                "при некоторых значениях выражение делит на ноль",
            ),
            ValueError::NotANumber => words(
                "for some values the expression has no result, such as the root of a negative number",
                "при некоторых значениях у выражения нет результата: например, это корень из отрицательного числа",
            ),
            ValueError::TooLarge => words(
                "for some values the result of the expression is too large",
                "при некоторых значениях результат выражения слишком велик",
            ),
        },
    }
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars
        .next()
        .map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}
