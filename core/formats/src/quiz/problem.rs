//! Problems of quizzes and answers, with their messages.

use super::bank::MAX_BANK_QUESTION;
use super::hand_in::MAX_LINK;
use super::lack::Lack;
use super::limits::{MAX_BYTES, MAX_EXTENSION, MAX_FORMULAS, MAX_PATTERNS, MAX_REGEX};
use super::number::Points;
use super::seconds::Seconds;
use super::submission::MAX_ESSAY_BYTES;
use super::weight::Weight;
use super::zones::{Coordinate, MIN_CORNERS};
use kurso_base::messages::Message;
use kurso_base::values;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Problem {
    // Any value
    NotAList,
    NotAFlag,
    NotANumber,
    NotWhole,
    OutOfBounds(i64, i64),
    TooMany(usize),
    OneOf(Vec<&'static str>),
    // A quiz
    TooLarge,
    RepeatedId,
    BadPoints,
    BadWeight,
    /// An all-or-nothing question has weights.
    TwoScorings,
    BadFactor,
    /// The first unit of a question has another factor than 1.
    FirstFactor,
    /// Two units of a question have the same name.
    RepeatedUnit,
    BadCoordinate,
    /// A document that is not exactly one image.
    BadPicture,
    /// A zone without a width or a height.
    FlatZone,
    FewCorners,
    /// A zone is partly beyond the picture.
    OutsidePicture,
    NegativeTolerance,
    TwoTolerances,
    TwoFillings,
    BadRegex,
    LargeRegex,
    ManyRegexes,
    ManyFormulas,
    FewerWordsThanLeast,
    BadExtension,
    /// An assignment has a question of another type.
    OnlyHandIn,
    /// An assignment has no question, or several.
    OneHandIn,
    /// A quiz has a question that only assignments have.
    HandInInQuiz,
    /// A bank cannot hold questions of this type.
    NotInBank,
    LargeBankQuestion,
    /// The question bank does not exist, or the author of the quiz may not use it.
    NoBank,
    /// A published quiz lacks something; with the number of the question, from 1, if it belongs to one.
    Lacks(Option<usize>, Lack),
    // Answers
    UnknownQuestion,
    AnsweredTwice,
    OtherAnswerExpected(&'static str),
    UnknownChoice,
    ChosenTwice,
    OnlyOneChoice,
    UnreadableNumber,
    /// The question has units, but not this one.
    UnknownUnit,
    /// The question has no units.
    NoUnits,
    /// The answer marks too many places; with the maximum.
    ManyPlaces(usize),
    /// The time on a question is out of bounds.
    BadSeconds,
    UsedSubmission,
    /// The answer to check is empty.
    NothingToCheck,
    /// An essay has fewer words than it needs: how many, and how many it needs.
    FewWords(u32, u32),
    /// An essay has more words than it may.
    ManyWords(u32, u32),
    LargeEssay,
    FilesInEssay,
    /// The learner has not uploaded such a file for this page.
    UnknownFile,
    /// The answer has too many files; with the maximum.
    ManyFiles(u32),
    /// The question does not accept the extension; with those that it accepts.
    WrongFileKind(Vec<String>),
    /// The assignment takes no text.
    NoTextTaken,
    /// The answer has too many links; with the maximum.
    ManyLinks(u32),
    BadLink,
    /// An assignment was submitted without a text, a file and a link.
    NothingToHandIn,
    /// Marks that do not name a level of each criterion.
    MarksIncomplete,
    /// A pinned comment without exactly one kind of place.
    OnePlace,
    /// A pinned comment beyond the end of the text; with its length in code points.
    OutsideText(u32),
    /// A pinned comment on a file that is not a picture of the answer.
    NotAPicture,
}

impl Problem {
    /// The error of a value that breaks a rule without a kind of its own.
    pub fn value_error(&self) -> values::Problem {
        values::Problem::new("value_error", self.message())
    }

    pub fn message(&self) -> Message {
        let (en, ru) = match self {
            Self::NotAList => words("Input should be a valid list", "Ожидается список"),
            Self::NotAFlag => words("Input should be a valid boolean", "Ожидается true или false"),
            Self::NotANumber => words("Input should be a valid number", "Значение должно быть числом"),
            Self::NotWhole => words("Input should be a valid integer", "Значение должно быть целым числом"),
            Self::OutOfBounds(min, max) => (
                format!("Input should be from {min} to {max}"),
                format!("Значение должно быть от {min} до {max}"),
            ),
            Self::TooMany(max) => (
                format!("List should have at most {max} items"),
                format!("В списке может быть не больше {max} элементов"),
            ),
            Self::OneOf(names) => (
                format!("Input should be one of {}", names.join(", ")),
                format!("Допустимые значения: {}", names.join(", ")),
            ),
            Self::TooLarge => (
                format!("The quiz is larger than {} MiB", MAX_BYTES / 1024 / 1024),
                format!("Тест больше {} МиБ", MAX_BYTES / 1024 / 1024),
            ),
            Self::RepeatedId => words("This id is there twice", "Этот идентификатор повторяется"),
            Self::BadPoints => (
                format!("Points are a number from 0 to {} with at most 4 decimals", Points::MAX),
                format!(
                    "Баллы — число от 0 до {}, не больше 4 знаков после запятой",
                    Points::MAX
                ),
            ),
            Self::BadWeight => (
                format!(
                    "A weight is a number from -{} to {} with at most 5 decimals",
                    Weight::MAX,
                    Weight::MAX
                ),
                format!(
                    "Вес варианта — число от -{} до {}, не больше 5 знаков после запятой",
                    Weight::MAX,
                    Weight::MAX
                ),
            ),
            Self::TwoScorings => words(
                "A question that is graded all or nothing cannot have weights",
                "Если засчитывается только полностью верный ответ, у вариантов не бывает весов",
            ),
            Self::BadFactor => words(
                "The factor of a unit is a number above 0",
                "Множитель единицы — число больше 0",
            ),
            Self::FirstFactor => words("The factor of the first unit is 1", "Множитель первой единицы равен 1"),
            Self::RepeatedUnit => words("This unit is there twice", "Эта единица повторяется"),
            Self::NegativeTolerance => words(
                "The tolerance cannot be negative",
                "Погрешность не может быть отрицательной",
            ),
            Self::TwoTolerances => words(
                "Give the tolerance either as a number or in percent",
                "Задайте погрешность либо числом, либо в процентах",
            ),
            Self::TwoFillings => words(
                "A blank has either accepted answers or options",
                "У пропуска бывают либо принимаемые ответы, либо варианты",
            ),
            Self::BadRegex => words(
                "The pattern cannot be read",
                "Не удалось разобрать регулярное выражение",
            ),
            Self::LargeRegex => (
                format!("The pattern is too large: at most {MAX_REGEX} characters and few repetitions"),
                format!("Слишком сложное регулярное выражение: не больше {MAX_REGEX} символов и немного повторений"),
            ),
            Self::ManyRegexes => (
                format!("At most {MAX_PATTERNS} questions of a quiz can have a pattern"),
                format!("Регулярные выражения могут быть не больше чем у {MAX_PATTERNS} вопросов теста"),
            ),
            Self::ManyFormulas => (
                format!("A quiz can have at most {MAX_FORMULAS} formula questions"),
                format!("В тесте может быть не больше {MAX_FORMULAS} вопросов с формулой"),
            ),
            Self::BadCoordinate => (
                format!(
                    "A coordinate is 0 to {} percent, with at most three decimals",
                    Coordinate::MAX
                ),
                format!(
                    "Координата — от 0 до {} процентов, не больше трёх знаков после запятой",
                    Coordinate::MAX
                ),
            ),
            Self::BadPicture => words(
                "The picture is a document with one image and nothing else",
                "В документе должно быть одно изображение и больше ничего",
            ),
            Self::FlatZone => words(
                "The width and the height of a zone are above 0",
                "Ширина и высота области должны быть больше нуля",
            ),
            Self::FewCorners => (
                format!("A polygon has at least {MIN_CORNERS} corners"),
                format!("Углов у многоугольника должно быть не меньше {MIN_CORNERS}"),
            ),
            Self::OutsidePicture => words(
                "The zone lies partly beyond the picture",
                "Область выходит за край изображения",
            ),
            Self::FewerWordsThanLeast => words(
                "The most words cannot be fewer than the least",
                "Наибольшее число слов не может быть меньше наименьшего",
            ),
            Self::BadExtension => (
                format!("A kind of files is 1 to {MAX_EXTENSION} Latin letters and digits, such as pdf"),
                format!("Вид файлов — от 1 до {MAX_EXTENSION} латинских букв и цифр, например pdf"),
            ),
            Self::UnknownFile => words(
                "You have not uploaded this file here, or it was deleted: upload it again",
                "Вы не загружали сюда этот файл, или он уже удалён: загрузите его ещё раз",
            ),
            Self::MarksIncomplete => words(
                "Choose one level of each criterion",
                "Выберите по одному уровню каждого критерия",
            ),
            Self::OnePlace => words(
                "A comment is pinned either to a part of the text, which is not empty, or to a point of a picture",
                "Место комментария — либо непустая часть текста, либо точка на изображении",
            ),
            Self::OutsideText(length) => (
                format!("The text of the answer has {length} characters"),
                format!("Длина текста ответа в символах: {length}"),
            ),
            Self::NotAPicture => words(
                "The answer has no picture with this id",
                "В ответе нет изображения с таким идентификатором",
            ),
            Self::OnlyHandIn => words(
                "An assignment has only a question of the type hand_in",
                "В задании бывает только вопрос типа hand_in",
            ),
            Self::OneHandIn => words("An assignment has exactly one question", "В задании ровно один вопрос"),
            Self::HandInInQuiz => words(
                "Only an assignment has a question of the type hand_in",
                "Вопрос типа hand_in бывает только в задании",
            ),
            Self::NotInBank => words(
                "A question bank cannot hold questions of this type",
                "В банке не бывает вопросов этого типа",
            ),
            Self::LargeBankQuestion => (
                format!("A question of a bank may have at most {} KiB", MAX_BANK_QUESTION / 1024),
                format!("Вопрос в банке вмещает не больше {} КиБ", MAX_BANK_QUESTION / 1024),
            ),
            Self::NoBank => words(
                "There is no such question bank, or you may not use it",
                "Такого банка вопросов нет, или он вам недоступен",
            ),
            Self::NoTextTaken => words("No text is accepted here", "Текст здесь не принимается"),
            Self::ManyLinks(0) => words("No links are accepted here", "Ссылки здесь не принимаются"),
            Self::ManyLinks(max) => (
                format!("The answer may have at most {max} links"),
                format!("Ссылок в ответе может быть не больше {max}"),
            ),
            Self::BadLink => (
                format!("A link is an address such as https://example.com, at most {MAX_LINK} characters long"),
                format!("Ссылка — это адрес вида https://example.com, не длиннее {MAX_LINK} символов"),
            ),
            Self::NothingToHandIn => words("There is nothing to hand in", "Сдавать пока нечего"),
            Self::ManyFiles(0) => words("No files are accepted here", "Файлы здесь не принимаются"),
            Self::ManyFiles(max) => (
                format!("The answer may have at most {max} files"),
                format!("Файлов в ответе может быть не больше {max}"),
            ),
            Self::WrongFileKind(extensions) => {
                let list = extensions.join(", ");
                (
                    format!("Only these kinds of files are accepted: {list}"),
                    format!("Принимаются только файлы: {list}"),
                )
            }
            Self::FewWords(words, least) => (
                format!("The answer has {words} words and needs at least {least}"),
                format!("В ответе слов: {words}, а нужно не меньше {least}"),
            ),
            Self::ManyWords(words, most) => (
                format!("The answer has {words} words and may have at most {most}"),
                format!("В ответе слов: {words}, а можно не больше {most}"),
            ),
            Self::LargeEssay => (
                format!("The answer is larger than {} KiB", MAX_ESSAY_BYTES / 1024),
                format!("Ответ больше {} КиБ", MAX_ESSAY_BYTES / 1024),
            ),
            Self::FilesInEssay => words(
                "An answer can have no images, files, audio or video",
                "В ответе не может быть картинок, файлов, аудио и видео",
            ),
            Self::Lacks(question, lack) => lack.words(*question),
            Self::UnknownQuestion => words(
                "There is no such question in this quiz",
                "В этом тесте нет такого вопроса",
            ),
            Self::AnsweredTwice => words("This question is answered twice", "На этот вопрос дано два ответа"),
            Self::OtherAnswerExpected(field) => (
                format!("This question is answered by `{field}`"),
                format!("На этот вопрос отвечают полем {field}"),
            ),
            Self::UnknownChoice => words(
                "The question has nothing with this id",
                "В вопросе нет ничего с таким идентификатором",
            ),
            Self::ChosenTwice => words("This is chosen twice", "Это выбрано дважды"),
            Self::OnlyOneChoice => words(
                "Only one option can be chosen here",
                "Здесь можно выбрать только один вариант",
            ),
            Self::UnreadableNumber => words("This cannot be read as a number", "Не удалось прочитать это как число"),
            Self::UnknownUnit => words(
                "The question has no unit with this name",
                "В вопросе нет единицы с таким названием",
            ),
            Self::NoUnits => words(
                "The answer to this question has no unit",
                "В ответе на этот вопрос нет единицы",
            ),
            Self::ManyPlaces(max) => (
                format!("At most {max} places can be marked here"),
                format!("Отметок здесь может быть не больше {max}"),
            ),
            Self::BadSeconds => (
                format!(
                    "The time on a question is 0 to {} seconds, with at most one decimal",
                    Seconds::MAX
                ),
                format!(
                    "Время на вопрос — от 0 до {} секунд, не больше одного знака после запятой",
                    Seconds::MAX
                ),
            ),
            Self::NothingToCheck => words("Answer the question before you check it", "Сначала ответьте на вопрос"),
            Self::UsedSubmission => words(
                "This id belongs to a submission of another quiz",
                "Этот идентификатор принадлежит отправке другого теста",
            ),
        };
        Message::Text { en, ru }
    }
}

pub(super) fn words(en: &str, ru: &str) -> (String, String) {
    (en.to_owned(), ru.to_owned())
}

#[cfg(test)]
mod tests {
    use kurso_base::messages::Lang;

    use super::*;

    #[test]
    fn problems_of_rubrics_and_places_are_told_without_names_of_fields() {
        let lacks = [Lack::Criteria, Lack::Levels, Lack::RubricPoints];
        let lacks = lacks.map(|lack| Problem::Lacks(Some(2), lack));
        let others = [
            Problem::MarksIncomplete,
            Problem::OnePlace,
            Problem::OutsideText(5),
            Problem::NotAPicture,
        ];
        for problem in lacks.iter().chain(&others) {
            let [en, ru] = [Lang::En, Lang::Ru].map(|lang| problem.message().text(lang));
            assert!(!en.contains(['_', '`']), "{en}");
            assert!(
                !ru.contains(|c: char| c.is_ascii_alphabetic()) && !ru.contains("картин"),
                "{ru}"
            );
        }
    }
}
