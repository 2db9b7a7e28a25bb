//! The Russian texts of [`Message`].

use super::wording::{bytes, choice, plural};
use super::{Lang, Message};

impl Message {
    pub(super) fn russian(&self) -> String {
        match self {
            Self::NotFound => "Не найдено",
            Self::MethodNotAllowed => "Метод не поддерживается",
            Self::NotAuthenticated => "Вы не вошли в систему",
            Self::BadCredentials => "Не удалось проверить учётные данные",
            Self::UserGone => "Пользователь не найден",
            Self::InactiveUser => "Учётная запись отключена",
            Self::NotEnoughPrivileges => "Недостаточно прав",
            Self::InternalError => "Внутренняя ошибка сервера",
            Self::Busy => "Сервер занят, попробуйте ещё раз через минуту",
            Self::NoRoom => "На сервере не осталось места, ничего не сохранено. Сообщите тем, кто им управляет",
            Self::ReadOnly => "Сервер сейчас не может ничего записать, ничего не сохранено. Попробуйте позже",
            Self::DiskFailed => "На сервере неисправен диск, ничего не сохранено. Сообщите тем, кто им управляет",
            Self::DatabaseAway => "Сервер не может связаться с базой данных. Попробуйте ещё раз через минуту",
            Self::StoreAway => "Сервер не может связаться с хранилищем файлов. Попробуйте ещё раз через минуту",
            Self::BodyTooLarge => "Слишком большой запрос",
            Self::BodyNotUtf8 => "Не удалось прочитать запрос: это не UTF-8",
            Self::BodyTooSlow => "Запрос передавался слишком долго",
            Self::RangeNotSatisfiable => "В файле нет такого участка",
            Self::WrongContentType => "Неподдерживаемый тип содержимого",
            Self::TooManyRequests => "Слишком много попыток, попробуйте позже",
            Self::WrongLogin => "Неверный email или пароль",
            Self::EmailTaken => "Пользователь с таким email уже есть",
            Self::LoggedOut => "Вы вышли из системы",
            Self::EmailTakenInSystem => "Пользователь с таким email уже есть.",
            Self::EmailOfAnother => "Этот email занят другим пользователем",
            Self::UserIdUnknown => "Пользователя с таким идентификатором нет",
            Self::UsernameUnknown => "Пользователя с таким email нет.",
            Self::SuperuserDeletesSelf => "Администратор не может удалить сам себя",
            Self::UserDeleted => "Пользователь удалён",
            Self::WrongPassword => "Неверный пароль",
            Self::SamePassword => "Новый пароль не должен совпадать с текущим",
            Self::PasswordUpdated => "Пароль изменён",
            Self::BadLink => "Ссылка недействительна",
            Self::RecoverySent => {
                "Если этот email зарегистрирован, мы отправили на него ссылку для восстановления пароля"
            }
            Self::EmailChangeUndone => "Прежний email возвращён, все сеансы завершены",
            Self::TestMailSent => "Проверочное письмо отправлено",
            Self::SessionNotFound => "Сеанс не найден",
            Self::SessionEnded => "Сеанс завершён",
            Self::ItemNotFound => "Запись не найдена",
            Self::ItemForbidden => "Недостаточно прав",
            Self::ItemDeleted => "Запись удалена",
            Self::BankNotFound => "Такого банка вопросов нет",
            Self::BankQuestionNotFound => "Такого вопроса в банке нет",
            Self::BankForbidden => "Этот банк вопросов можно читать, но не менять",
            Self::BankOwnerOnly => "Это может сделать только владелец банка вопросов",
            Self::BankDeleted => "Банк вопросов удалён",
            Self::BankMemberNotFound => "У этого человека нет доступа к банку вопросов",
            Self::BankUnshared => "Доступ к банку вопросов закрыт",
            Self::BankOwnerIsNoMember => "Это владелец банка вопросов",
            Self::BankInUse(pages) => {
                let n = usize::try_from(*pages).unwrap_or_default();
                let words = plural(n, "странице", "страницах", "страницах");
                return format!("Банк нельзя удалить: из него берут вопросы тесты на {n} {words}");
            }
            Self::TooManyBanks(n) => return format!("У вас может быть не больше {n} банков вопросов"),
            Self::BankFull(n) => return format!("В банке может быть не больше {n} вопросов"),
            Self::BankQuestionChanged => "Вопрос изменился с тех пор, как вы его открыли",
            Self::TooManyTags(n) => return format!("У вопроса может быть не больше {n} тегов"),
            Self::PageLinkInBank(path) => {
                return format!("{path}: вопрос из банка не относится к курсу, поэтому ссылка на страницу невозможна");
            }
            Self::NoQuestionsInFile => "В файле нет вопросов, которые можно добавить в банк",
            Self::CourseNotFound => "Курс не найден",
            Self::ModuleNotFound => "Модуль не найден",
            Self::LessonNotFound => "Урок не найден",
            Self::PageNotFound => "Страница не найдена",
            Self::PageDraftNotFound => "У страницы нет неопубликованных изменений",
            Self::VersionNotFound => "Такой версии у страницы нет",
            Self::FileAddressExpired => "Ссылка устарела. Откройте файл со страницы ещё раз",
            Self::FileNotFound => "Файл не найден",
            Self::ImportNotFound => "Импорт не найден",
            Self::ImportNotReady => "Этот импорт не ждёт подтверждения",
            Self::ImportOutdated => {
                "Курс изменился после того, как его сравнили с файлом: удалились бы страницы, о которых предпросмотр не \
                 предупредил. Начните импорт заново."
            }
            Self::ImportEnded => "Этот импорт уже завершён",
            Self::TooManyImports(n) => {
                return format!("У вас уже начато импортов: {n}. Сначала подтвердите или отмените один из них");
            }
            Self::JobGivenUp => "Сервер пробовал несколько раз, но не справился. Попробуйте ещё раз позже",
            Self::JobNotHeld => "Этим уже занимается кто-то другой",
            Self::ExportLinkGone => "Ссылка на скачивание больше не действует: запросите новую",
            Self::TrashEntryNotFound => "Этого в корзине уже нет",
            Self::TrashParentInTrash => "Часть курса, в которой это было, тоже в корзине: сначала восстановите её",
            Self::TrashParentGone => "Части курса, в которой это было, больше нет: выберите другую",
            Self::TrashTargetNotHere => "Страницу восстанавливают в урок, а урок — в модуль",
            Self::TrashConflict => "Восстановить нельзя: это противоречит тому, что появилось в курсе за это время",
            Self::TrashDeletedForever => "Удалено навсегда",
            Self::SnapshotNotFound => "Снимок не найден",
            Self::SnapshotDeleted => "Снимок удалён",
            Self::TooManySnapshots(n) => return format!("У курса может быть не больше {n} снимков с названием. Удалите ненужный"),
            Self::SnapshotOutdated => "Курс изменился после сравнения со снимком. Посмотрите изменения ещё раз",
            Self::CourseForbidden => "Ваша роль в этом курсе не позволяет этого",
            Self::OwnerOnly => "Это может сделать только владелец курса",
            Self::NotEnrolled => "Вы не записаны на этот курс",
            Self::StudentNotFound => "Такого ученика нет",
            Self::StudentRemoved => "Ученик убран из курса",
            Self::GroupNotFound => "Такой группы нет",
            Self::GroupDeleted => "Группа удалена",
            Self::TooManyGroups(n) => return format!("В курсе может быть не больше {n} групп"),
            Self::UnknownGroup => "В этом курсе нет такой группы",
            Self::UnknownStudent => "В этом курсе нет такого ученика",
            Self::OverrideNotFound => "Такого исключения нет",
            Self::OverrideDeleted => "Исключение удалено",
            Self::OverrideForWhom => "Исключение задают для одной группы или одного ученика",
            Self::OverrideOfWhat => "Исключение задают для курса, одного модуля, одного урока или одной страницы",
            Self::StudentsMovedMeanwhile => "Этих учеников уже перевёл в другую группу кто-то другой",
            Self::CourseZoneChanged => "Часовой пояс курса изменил кто-то другой: проверьте время",
            Self::OverrideChanged => "Это исключение уже изменил кто-то другой",
            Self::OverrideEmpty => "Исключение ничего не меняет",
            Self::OverrideNotHere => "Здесь это нельзя изменить исключением",
            Self::TooManyOverrides(n) => return format!("В курсе может быть не больше {n} исключений"),
            Self::GradeCategoryNotFound => "Категория не найдена",
            Self::GradeCategoryDeleted => "Категория удалена",
            Self::UnknownGradeCategory => "В этом курсе нет такой категории",
            Self::TooManyGradeCategories(n) => { return format!("В курсе уже категорий: {n}. Больше создать нельзя") }
            Self::UnknownQuiz => "В этом курсе нет такого теста или задания",
            Self::NotGraded => "Эта страница не оценивается: в журнале есть только опубликованные тесты и задания курса",
            Self::ThresholdCount(n) => { return format!("Для этой шкалы порогов должно быть {n}") }
            Self::ThresholdsOutOfOrder => "Каждый порог должен быть ниже предыдущего",
            Self::PointsRequired => "Укажите баллы",
            Self::PointsNotHere => "Баллы указывают только вместе с изменённой оценкой",
            Self::ExcusedFromCourse => "От курса в целом освободить нельзя: задайте оценку за курс",
            Self::ReasonRequired => "Укажите причину",
            Self::GivenTooMuch(most) => { return format!("Слишком много: не больше {most}") }
            Self::AnswerNotFound => "Такого ответа нет, или ученик больше не на курсе",
            Self::AnswerGraded => "Этот ответ уже проверил кто-то другой",
            Self::GradeChanged => "Эту оценку уже изменил кто-то другой",
            Self::NotAGradeTable => "Это не таблица оценок: ожидается текст CSV со строкой заголовков",
            Self::NoEmailColumn => "В таблице нет столбца Email",
            Self::TooManyGradeTableChanges(n) => { return format!("Таблица меняет больше {n} оценок. Разделите её на части") }
            Self::UnknownGradeColumn => "В журнале этого курса нет такого столбца",
            Self::GradeColumnTwice => "Этот столбец встречается в таблице дважды",
            Self::StudentTwice => "Этот ученик встречается в таблице дважды",
            Self::NotAGrade => "Ожидаются баллы, «освобождён» или «авто»",
            Self::GradeTableOutdated => "Оценки изменились после предпросмотра. Проверьте изменения ещё раз",
            Self::TooManyGradeChanges(n) => { return format!("Эту оценку меняли уже {n} раз. Больше изменить её нельзя") }
            Self::MemberNotFound => "В команде этого курса нет такого человека или приглашения",
            Self::MemberRemoved => "Больше не в команде курса",
            Self::OwnerIsInTeam => "Это владелец курса, ему приглашение не нужно",
            Self::OwnerCannotLeave => "Владелец не может покинуть курс: сначала передайте его другому",
            Self::TeamLeft => "Вы вышли из команды курса",
            Self::CourseLeft => "Вы покинули курс",
            Self::InvitationGone => {
                "Приглашение больше не действует: его приняли, отозвали или обновили, или истёк его срок"
            }
            Self::InvitationOfAnother => {
                "Это приглашение для другого адреса: войдите под той учётной записью, на которую оно пришло"
            }
            Self::UnknownAccount => "Такой действующей учётной записи нет",
            Self::UnknownShareCode => "Курса с таким кодом нет",
            Self::NoRubric => "У этого вопроса нет критериев оценки",
            Self::OnlyWorkIsReturned => "Вернуть на доработку можно только сданную работу задания",
            Self::ReturnedWithoutPoints => "Работа, возвращённая на доработку, не получает баллов",
            Self::ReturnedWithComment => "Напишите, что нужно доработать",
            Self::DraftChanged => "Черновик уже изменён в другом окне или на другом устройстве",
            Self::NoAssignment => "На этой странице нет задания",
            Self::TooManyRemarks => "Комментарии к этому ответу меняли слишком много раз",
            Self::PointsOfMarks => "Баллы не равны сумме выбранных уровней",
            Self::NoUploadQuestion => "В тесте нет такого вопроса с ответом файлами",
            Self::NoQuiz => "На этой странице нет теста",
            Self::OutOfAttempts => "Попыток больше не осталось",
            Self::NoTimeLimit => "Время на этот тест не ограничено: отправьте ответы, не начиная попытку",
            Self::AttemptNotStarted => "Сейчас нет идущей попытки: начните её или посмотрите результат, если время вышло",
            Self::BankTooSmall => "В банке не хватает вопросов для этого теста. Сообщите преподавателю",
            Self::TimeIsOver => "Время вышло. Засчитаны ответы, сохранённые до этого",
            Self::AttemptEnded => "Попытка уже закончена",
            Self::WrongTicket => "Попытка начата не с этим билетом",
            Self::PageLocked => "Эта страница для вас ещё не открыта",
            Self::PageNeverOpens => "Эта страница для вас не откроется: её время заканчивается раньше, чем начинается",
            Self::PageClosed => "Время для этого теста вышло",
            Self::EnrollmentClosed => "Запись на этот курс завершена",
            Self::EnrollmentNotFound => "Запись на курс не найдена",
            Self::AttemptGranted => "У ученика есть ещё одна попытка",
            Self::AttemptTakenBack => "Дополнительной попытки больше нет",
            Self::NoUnusedAttempt => "Дополнительной попытки нет, или ученик её уже использовал",
            Self::BadGrant => "Такого `grant` сервер не выдаёт",
            Self::AttemptsRemain => "У ученика ещё остались попытки",
            Self::AssessmentsReleased(0) => "Публиковать нечего: новых оценок нет",
            Self::AssessmentsReleased(n) => return format!("Опубликовано оценок: {n}"),
            Self::AttemptsReset(n) => return format!("Удалено попыток: {n}"),
            Self::ProgressFixed { checked, changed } => {
                return format!("Проверено записей на курс: {checked}, изменено: {changed}");
            }
            Self::CalendarFeedNotFound => "По этому адресу календаря нет",
            Self::CalendarFeedRevoked => "Адрес календаря больше не действует",
            Self::NoticeLinkGone => "Ссылка неверна или больше не действует. Войдите, чтобы изменить настройки писем",
            Self::PushServiceNotAllowed => "Этот сервер не отправляет уведомления через push-сервис этого браузера",
            Self::BadPushKey => "Это не ключ браузера",
            Self::DeviceNotFound => "Устройство не найдено",
            Self::DeviceRemoved => "Уведомления больше не приходят на это устройство",
            Self::TestPushSent => "Проверочное уведомление отправлено",
            Self::Unsubscribed => "Такие письма больше не будут приходить",
            Self::CalendarName => "Kurso: сроки курсов",
            Self::CourseStarts(title) => return format!("Начало: {title}"),
            Self::PartOpens(title) => return format!("Открывается: {title}"),
            Self::PartDue(title) => return format!("Срок: {title}"),
            Self::PartCloses(title) => return format!("Закрывается: {title}"),
            Self::CourseEnds(title) => return format!("Окончание: {title}"),
            Self::OfCourse(title) => return format!("Курс: {title}"),
            Self::YouTeach => "Вы преподаёте в этом курсе",
            Self::SettingChanged => "Эту настройку уже изменил кто-то другой",
            Self::ConsequencesChanged => "Результаты учеников изменились бы не так, как было показано. Ничего не опубликовано",
            Self::RegradeNotFound => "Такого пересчёта нет",
            Self::ThreadNotFound => "Такого обсуждения нет",
            Self::AnnouncementNotFound => "Такого объявления нет",
            Self::AnnouncementChanged => "Кто-то изменил это объявление с тех пор, как вы его открыли",
            Self::AnnouncementPublished => "Это объявление уже опубликовано",
            Self::AnnouncementTooLong(n) => return format!("В объявлении может быть не больше {n} килобайт"),
            Self::TooManyAnnouncements(n) => {
                return format!("В курсе может быть не больше {n} объявлений: сначала удалите старые")
            }
            Self::AnnouncementDeleted => "Объявление удалено",
            Self::CommentNotFound => "Такого комментария нет",
            Self::TooManyThreads(n) => {
                return format!("На странице уже {n} открытых обсуждений. Сначала закройте часть из них");
            }
            Self::TooManyComments(n) => {
                return format!("В обсуждении уже {n} комментариев. Начните новое");
            }
            Self::CommentOfAnother => "Изменить комментарий может только его автор",
            Self::ThreadOfAnother => "Это могут только начавший обсуждение, владелец и редакторы",
            Self::NoSuggestion => "В этом обсуждении нет предложенной правки",
            Self::SuggestionDecided => "Эта правка уже принята или отклонена",
            Self::SuggestionOutdated => "Это место изменилось с тех пор, как правку предложили. Внесите её вручную или отклоните",
            Self::SuggestionChangesNothing => "Правка ничего не меняет",
            Self::SuggestionNeedsBlock => "Для правки нужен блок, который она меняет",
            Self::SuggestionTooLong(n) => return format!("В правке может быть не больше {n} килобайт"),
            Self::SuggestionWithNewFile => "В правке могут быть только файлы, которые уже есть на странице",
            Self::BlockNeedsVersion => "Не указана версия страницы, в которой у блока этот номер",
            Self::DiscussionNotFound => "Такого вопроса нет",
            Self::PostNotFound => "Такого вопроса или ответа нет",
            Self::DiscussionsOff => "Вопросы здесь отключены",
            Self::TooManyDiscussions(n) => return format!("Под страницей уже {n} открытых вопросов"),
            Self::TooManyPosts(n) => return format!("На вопрос уже {n} ответов. Задайте новый"),
            Self::PostOfAnother => "Это может изменить только автор",
            Self::OwnPost => "С собственным вопросом или ответом так нельзя",
            Self::DiscussionOfAnother => "Это могут только задавший вопрос и преподаватели",
            Self::ModeratorsOnly => "Это могут только владелец и преподаватели курса",
            Self::DiscussionLocked => "Вопрос закрыт для новых ответов",
            Self::PostHidden => "Это скрыто, изменить его нельзя",
            Self::PostDeleted => "Это удалено",
            Self::AskedWithName => "Вы задали этот вопрос под своим именем, поэтому и ответы в нём — под именем",
            Self::AnonymousNotAllowed => "В этом курсе нельзя спрашивать и отвечать анонимно",
            Self::PostEmpty => "Напишите что-нибудь",
            Self::PostTooLong(n) => return format!("В вопросе или ответе может быть не больше {n} символов"),
            Self::TooManyPictures(n) => return format!("В вопросе или ответе может быть не больше {n} картинок"),
            Self::TooManyLinks(n) => return format!("В вопросе или ответе может быть не больше {n} ссылок"),
            Self::NotInPosts(what) => return format!("В вопросе или ответе этого быть не может: {what}"),
            Self::ForbiddenWord(word) => return format!("Это слово в курсе запрещено: {word}"),
            Self::ReasonNeeded => "Укажите причину",
            Self::NoSuchReply => "Это не ответ на этот вопрос",
            Self::NoteNotFound => "Такой заметки нет",
            Self::NoteChanged => "Вы уже изменили эту заметку в другом месте",
            Self::NoteDeleted => "Заметка удалена",
            Self::NoteEmpty => "Напишите что-нибудь или выделите слова",
            Self::NoSuchWords => "В этом месте блока нет таких слов",
            Self::NoSuchTask => "Такого задания в списках страницы нет",
            Self::TooManyNotes(n) => return format!("В курсе уже {n} ваших заметок. Удалите старые"),
            Self::TooManyNotesOnPage(n) => return format!("На странице уже {n} ваших заметок. Удалите старые"),
            Self::TooManyBookmarks(n) => return format!("В курсе уже {n} ваших закладок. Уберите старые"),
            Self::TooManyTicks(n) => return format!("На странице уже {n} ваших отметок"),
            Self::NoSuchBlock => "Такого блока на странице нет",
            Self::RegradeIsFinal => "Этот пересчёт уже отменён, или с него прошло больше 30 дней",
            Self::RegradeIsFollowed => "Сначала отмените более поздний пересчёт этих же страниц",
            Self::PageDraftsChanged => "Эти страницы изменились с тех пор, как вы их открыли. Ничего не опубликовано",
            Self::DraftHasOnlyText => "В черновике изменений бывают только название, текст и тест. Всё остальное меняется без `draft`",
            Self::DatesChanged => "Эту дату уже изменил кто-то другой",
            Self::DatesOfWhat => "Укажите в каждой записи один модуль, урок, страницу или исключение и не повторяйте их",
            Self::DateNotHere => "Здесь нет такой даты",
            Self::PageChanged => "Страница изменилась с тех пор, как вы её открыли",
            Self::CourseDeleted => "Курс удалён",
            Self::ModuleDeleted => "Модуль удалён",
            Self::LessonDeleted => "Урок удалён",
            Self::PageDeleted => "Страница удалена",
            Self::UnknownModule => "Такого модуля в этом курсе нет",
            Self::UnknownLesson => "Такого урока в этом курсе нет",
            Self::UnknownPage => "Такой страницы в этом курсе нет",
            Self::QuizOnContentPage => "У страницы с содержанием не бывает теста",
            Self::LateOnContentPage => "Опоздание настраивается только у теста и задания",
            Self::UnknownPart => "Такого модуля или урока в этом курсе нет",
            Self::NeedsItself => "Условием не может быть сам модуль или урок, его модуль или урок внутри него",
            Self::PrerequisiteCycle(titles) => return format!("Условия замкнулись в круг, пройти это нельзя: {}", titles.text(Lang::Ru)),
            Self::FileTooLarge(n) => return format!("Файл больше {}", bytes(*n, "МБ", "КБ")),
            Self::ContentQuotaFull => {
                "Место для содержания курсов этого владельца закончилось: удалите ненужные страницы или курсы"
            }
            Self::QuotaFull => "Место для ваших файлов закончилось: удалите ненужные страницы или курсы",
            Self::EmptyFile => "Файл пуст",
            Self::NotAFile => "Здесь ожидается файл",
            Self::BrokenForm => "Не удалось прочитать форму: ожидается multipart/form-data",
            Self::NotAPicture => "Ожидается картинка: PNG, JPEG, WebP, GIF или AVIF",
            Self::BrokenPicture => "Картинка повреждена или её вид здесь не читается",
            Self::TooManyPixels(n) => return format!("В картинке больше {n} мегапикселей"),
            Self::NotAList => "Нужен список",
            Self::TooFewItems(1) => "В списке должна быть хотя бы одна строка",
            Self::TooFewItems(n) => return format!("В списке должно быть не меньше {n} строк"),
            Self::TooManyItems(n) => return format!("В списке может быть не больше {n} строк"),
            Self::FieldRequired => "Обязательное поле",
            Self::NotAString => "Значение должно быть строкой",
            Self::NotAnObject => "Ожидается объект с полями",
            Self::BadJson => "Не удалось разобрать JSON",
            Self::NotABoolean | Self::BadBoolean => "Значение должно быть «да» или «нет»: true или false",
            Self::NotADecimal => "Значение должно быть числом вида 12.5: цифры, точка и не больше двух знаков после неё",
            Self::DecimalTooSmall(least) => { return format!("Значение должно быть не меньше {least}") }
            Self::DecimalTooLarge(most) => { return format!("Значение должно быть не больше {most}") }
            Self::NotANumber => "Значение должно быть числом",
            Self::BadInteger | Self::NotAnInteger | Self::FractionalInteger => "Значение должно быть целым числом",
            Self::ZeroByte => "Строка не должна содержать нулевой байт",
            Self::BadCursor => "Это не курсор этого списка",
            Self::BadGraphqlBody => "Это не запрос GraphQL: ожидается объект с полем query",
            Self::MutationByGet => "GET годится только для запросов, мутации отправляйте через POST",
            Self::SubscriptionByHttp => "Подписки работают только через WebSocket",
            Self::PersistedQueryNotFound => "PersistedQueryNotFound",
            Self::BadPersistedQuery => {
                "В extensions.persistedQuery ожидается объект: version 1 и sha256Hash из 64 шестнадцатеричных цифр"
            }
            Self::WrongQueryHash => "sha256Hash в persistedQuery не соответствует запросу",
            Self::FragmentCycle(name) => return format!("Фрагмент {name} включает сам себя"),
            Self::OverLimit { limit, found, allowed } => return limit.text(Lang::Ru, *found, *allowed),
            Self::ForeignOrigin => "Страницам этого сайта нельзя подключаться",
            Self::BadUpgrade => "Ожидается WebSocket версии 13 с подпротоколом graphql-transport-ws",
            Self::SubscriptionsOnly => {
                "Через WebSocket работают только подписки, запросы и мутации отправляйте по HTTP"
            }
            Self::OneFieldAtATime => "В подписке ровно одно поле, и не через фрагмент",
            Self::EventsMissed => "Часть событий потеряна: перечитайте то, что показываете, и подпишитесь снова",
            Self::TooManySubscriptions(n) => return format!("На одном соединении не больше {n} подписок сразу"),
            Self::TooShort(n) => {
                return format!("Не короче {n} {}", plural(*n, "символа", "символов", "символов"));
            }
            Self::TooLong(n) => {
                return format!("Не длиннее {n} {}", plural(*n, "символа", "символов", "символов"));
            }
            Self::IntegerTooLarge(n) => return format!("Значение должно быть не больше {n}"),
            Self::IntegerTooSmall(n) => return format!("Значение должно быть не меньше {n}"),
            Self::BadEmail(problem) => return format!("Неверный email. {}", problem.text(Lang::Ru)),
            Self::UnknownFile(path) => return format!("{path}: такого файла нет, или он вам недоступен"),
            Self::UnknownPageLink(path) => return format!("{path}: такой страницы в этом курсе нет"),
            Self::NotOneOf(words) => return format!("Допустимые значения: {}", choice(words, "или")),
            Self::BadDate => {
                "Дата пишется так: 2026-09-01, местное время — 2026-09-01T10:00, время со смещением — 2026-09-01T10:00:00+03:00"
            }
            Self::FarDate => "Год должен быть от 2000 до 2099",
            Self::NoStart => "Отсчитать эту дату не от чего: у курса нет начала",
            Self::DatesOutOfOrder => "Даты идут не по порядку: эта не может быть раньше предыдущей",
            Self::UnknownTimeZone => "Часового пояса с таким названием нет",
            Self::BadDayTime => "Нужно время суток, например 22:00",
            Self::NoQuietHours => "Тихие часы не могут кончаться тогда же, когда начинаются",
            Self::BadTime => "Укажите время в виде 2026-11-21T09:00:00Z",
            Self::BadUuid(_) | Self::NotAUuid => "Неверный идентификатор",
            Self::BadPattern(pattern) => return format!("Строка должна соответствовать образцу {pattern}"),
            Self::Text { ru, .. } => ru,
        }
        .to_owned()
    }
}
