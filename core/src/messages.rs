//! The one catalogue of texts a person may read from the server, in English and Russian.
//! English texts of users, login and items are those third-party clients know, to the letter.

mod request_limit;

use std::fmt;

pub use request_limit::RequestLimit;

/// The language of an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash, sqlx::Type)]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub enum Lang {
    #[default]
    En,
    Ru,
}

impl Lang {
    /// The language an `Accept-Language` header asks for: the one of `ru` and `en` with the highest quality,
    /// the first on a tie; English when neither is named.
    pub fn from_accept_language(header: &str) -> Self {
        Self::best(header, Some(Lang::En)).unwrap_or_default()
    }

    /// The same for a mail, which is Russian unless English is named (contract 2).
    pub fn of_mail(header: &str) -> Self {
        Self::best(header, None).unwrap_or(Lang::Ru)
    }

    /// `any`: what `*` stands for.
    fn best(header: &str, any: Option<Lang>) -> Option<Self> {
        let mut best: Option<(f32, Lang)> = None;
        for range in header.split(',') {
            let mut parts = range.split(';');
            let tag = parts.next().unwrap_or_default().trim().to_ascii_lowercase();
            let lang = match tag.split('-').next() {
                Some("ru") => Lang::Ru,
                Some("en") => Lang::En,
                Some("*") => match any {
                    Some(any) => any,
                    None => continue,
                },
                _ => continue,
            };
            let quality = parts
                .find_map(|p| p.trim().strip_prefix("q=").map(|q| q.parse().unwrap_or(0.0)))
                .unwrap_or(1.0);
            if quality > best.map_or(0.0, |(q, _)| q) {
                best = Some((quality, lang));
            }
        }
        best.map(|(_, lang)| lang)
    }
}

/// A text with its arguments, turned into words only at the edge, where the reader's language is known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Message {
    // Statuses and tokens
    NotFound,
    MethodNotAllowed,
    NotAuthenticated,
    BadCredentials,
    UserGone,
    InactiveUser,
    NotEnoughPrivileges,
    InternalError,
    Busy,
    NoRoom,
    ReadOnly,
    DiskFailed,
    DatabaseAway,
    StoreAway,
    BodyTooLarge,
    BodyNotUtf8,
    BodyTooSlow,
    RangeNotSatisfiable,
    WrongContentType,
    TooManyRequests,
    // Accounts
    WrongLogin,
    EmailTaken,
    LoggedOut,
    /// To a superuser who makes an account.
    EmailTakenInSystem,
    /// To somebody who changes an address.
    EmailOfAnother,
    UserIdUnknown,
    UsernameUnknown,
    SuperuserDeletesSelf,
    UserDeleted,
    WrongPassword,
    SamePassword,
    PasswordUpdated,
    BadLink,
    RecoverySent,
    EmailChangeUndone,
    TestMailSent,
    SessionNotFound,
    SessionEnded,
    // Items
    ItemNotFound,
    ItemForbidden,
    ItemDeleted,
    // Courses and learning
    CourseNotFound,
    ModuleNotFound,
    LessonNotFound,
    PageNotFound,
    VersionNotFound,
    FileNotFound,
    CourseForbidden,
    OwnerOnly,
    NotEnrolled,
    StudentNotFound,
    StudentRemoved,
    MemberNotFound,
    MemberRemoved,
    OwnerIsInTeam,
    OwnerCannotLeave,
    TeamLeft,
    CourseLeft,
    InvitationGone,
    InvitationOfAnother,
    UnknownHeir,
    UnknownShareCode,
    NoQuiz,
    OutOfAttempts,
    EnrollmentNotFound,
    AttemptsReset(u64),
    ProgressFixed {
        checked: usize,
        changed: usize,
    },
    PageChanged,
    CourseDeleted,
    ModuleDeleted,
    LessonDeleted,
    PageDeleted,
    UnknownModule,
    UnknownLesson,
    /// Where in the body the file or the page is named.
    UnknownFile(String),
    UnknownPageLink(String),
    QuizOnContentPage,
    // Courses coming in and going out
    ImportNotFound,
    ImportNotReady,
    ImportOutdated,
    ImportEnded,
    /// How many may be under way.
    TooManyImports(i64),
    JobGivenUp,
    JobNotHeld,
    /// The token of the address is forged, too old or for something else.
    ExportLinkGone,
    // Files
    /// The most bytes a file may have.
    FileTooLarge(u64),
    QuotaFull,
    EmptyFile,
    NotAFile,
    BrokenForm,
    NotAPicture,
    BrokenPicture,
    /// The most pixels a picture may have, in millions.
    TooManyPixels(u32),
    // Fields
    FieldRequired,
    NotAString,
    TooShort(usize),
    TooLong(usize),
    NotAnObject,
    BadJson,
    BadEmail(EmailProblem),
    BadInteger,
    NotAnInteger,
    FractionalInteger,
    IntegerTooSmall(i64),
    NotABoolean,
    NotOneOf(Vec<&'static str>),
    NotAUuid,
    BadUuid(String),
    BadTime,
    BadBoolean,
    BadPattern(&'static str),
    ZeroByte,
    BadCursor,
    // GraphQL over HTTP
    BadGraphqlBody,
    MutationByGet,
    SubscriptionByHttp,
    /// The name of a fragment that leads back to itself.
    FragmentCycle(String),
    /// The word that clients look for, in every language.
    PersistedQueryNotFound,
    BadPersistedQuery,
    WrongQueryHash,
    OverLimit {
        limit: RequestLimit,
        found: u64,
        allowed: u64,
    },
    // Subscriptions over WebSocket
    ForeignOrigin,
    BadUpgrade,
    SubscriptionsOnly,
    OneFieldAtATime,
    TooManySubscriptions(usize),
    EventsMissed,
    /// A text of the content model, in both languages already.
    Text {
        en: String,
        ru: String,
    },
}

/// Why an e-mail address is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EmailProblem {
    NoAt,
    NothingBeforeAt,
    NothingAfterAt,
    NoPeriod,
    BadDomain,
    BadLocal,
    TooLong,
}

impl EmailProblem {
    pub fn text(self, lang: Lang) -> &'static str {
        let (en, ru) = match self {
            Self::NoAt => ("An email address must have an @-sign.", "В адресе должен быть знак @."),
            Self::NothingBeforeAt => (
                "There must be something before the @-sign.",
                "Перед знаком @ должно что-то стоять.",
            ),
            Self::NothingAfterAt => (
                "There must be something after the @-sign.",
                "После знака @ должно что-то стоять.",
            ),
            Self::NoPeriod => (
                "The part after the @-sign is not valid. It should have a period.",
                "Часть после @ неверна: в ней должна быть точка.",
            ),
            Self::BadDomain => ("The part after the @-sign is not valid.", "Часть после @ неверна."),
            Self::BadLocal => (
                "The email address contains invalid characters before the @-sign.",
                "Часть перед @ неверна.",
            ),
            Self::TooLong => ("The email address is too long.", "Адрес слишком длинный."),
        };
        match lang {
            Lang::En => en,
            Lang::Ru => ru,
        }
    }
}

impl Message {
    pub fn text(&self, lang: Lang) -> String {
        match lang {
            Lang::En => self.english(),
            Lang::Ru => self.russian(),
        }
    }

    fn english(&self) -> String {
        match self {
            Self::NotFound => "Not Found",
            Self::MethodNotAllowed => "Method Not Allowed",
            Self::NotAuthenticated => "Not authenticated",
            Self::BadCredentials => "Could not validate credentials",
            Self::UserGone => "User not found",
            Self::InactiveUser => "Inactive user",
            Self::NotEnoughPrivileges => "The user doesn't have enough privileges",
            Self::InternalError => "Internal Server Error",
            Self::Busy => "The server is busy, please try again in a moment",
            Self::NoRoom => "The server has no room left, so nothing was saved. Please tell those who run it",
            Self::ReadOnly => "The server cannot write at the moment, so nothing was saved. Please try again later",
            Self::DiskFailed => "The server's disk has failed, so nothing was saved. Please tell those who run it",
            Self::DatabaseAway => "The server cannot reach its database. Please try again in a moment",
            Self::StoreAway => "The server cannot reach the store of its files. Please try again in a moment",
            Self::BodyTooLarge => "The body is too large",
            Self::BodyNotUtf8 => "There was an error parsing the body",
            Self::BodyTooSlow => "The body did not arrive in time",
            Self::RangeNotSatisfiable => "The file does not reach that far",
            Self::WrongContentType => "Unsupported content type",
            Self::TooManyRequests => "Too many attempts, please try again later",
            Self::WrongLogin => "Incorrect email or password",
            Self::EmailTaken => "The user with this email already exists in the system",
            Self::LoggedOut => "Signed out",
            Self::EmailTakenInSystem => "The user with this email already exists in the system.",
            Self::EmailOfAnother => "User with this email already exists",
            Self::UserIdUnknown => "The user with this id does not exist in the system",
            Self::UsernameUnknown => "The user with this username does not exist in the system.",
            Self::SuperuserDeletesSelf => "Super users are not allowed to delete themselves",
            Self::UserDeleted => "User deleted successfully",
            Self::WrongPassword => "Incorrect password",
            Self::SamePassword => "New password cannot be the same as the current one",
            Self::PasswordUpdated => "Password updated successfully",
            Self::BadLink => "Invalid token",
            Self::RecoverySent => "If that email is registered, we sent a password recovery link",
            Self::EmailChangeUndone => "The email address is the old one again, and every session has ended",
            Self::TestMailSent => "Test email sent",
            Self::SessionNotFound => "Session not found",
            Self::SessionEnded => "Session ended",
            Self::ItemNotFound => "Item not found",
            Self::ItemForbidden => "Not enough permissions",
            Self::ItemDeleted => "Item deleted successfully",
            Self::CourseNotFound => "Course not found",
            Self::ModuleNotFound => "Module not found",
            Self::LessonNotFound => "Lesson not found",
            Self::PageNotFound => "Page not found",
            Self::VersionNotFound => "This page has no such version",
            Self::FileNotFound => "File not found",
            Self::ImportNotFound => "Import not found",
            Self::ImportNotReady => "This import is not waiting to be confirmed",
            Self::ImportOutdated => {
                "The course has changed since it was compared with the file: pages would go that the preview did not \
                 show. Begin the import anew."
            }
            Self::ImportEnded => "This import has come to its end already",
            Self::TooManyImports(n) => {
                return format!("You have {n} imports under way already: confirm or cancel one of them first");
            }
            Self::JobGivenUp => "The server tried several times and could not do it; please try again later",
            Self::JobNotHeld => "Somebody else works on this already",
            Self::ExportLinkGone => "This link to a download is no longer valid: ask for a new one",
            Self::CourseForbidden => "Your role in this course does not allow this",
            Self::OwnerOnly => "Only the owner of the course may do this",
            Self::NotEnrolled => "You are not enrolled in this course",
            Self::StudentNotFound => "There is no such student",
            Self::StudentRemoved => "The student was removed from the course",
            Self::MemberNotFound => "There is no such person or invitation in the team of this course",
            Self::MemberRemoved => "Removed from the team of the course",
            Self::OwnerIsInTeam => "This is the owner of the course, who needs no invitation",
            Self::OwnerCannotLeave => "The owner cannot leave the course: hand it over to somebody first",
            Self::TeamLeft => "You have left the team of the course",
            Self::CourseLeft => "You have left the course",
            Self::InvitationGone => {
                "This invitation is no longer valid: it was used, withdrawn or renewed, or its time is over"
            }
            Self::InvitationOfAnother => {
                "This invitation is for another address: sign in with the account it was sent to"
            }
            Self::UnknownHeir => "There is no active account like this",
            Self::UnknownShareCode => "There is no course with this code",
            Self::NoQuiz => "This page has no quiz",
            Self::OutOfAttempts => "There are no attempts left",
            Self::EnrollmentNotFound => "Enrollment not found",
            Self::AttemptsReset(n) => return format!("Attempts removed: {n}"),
            Self::ProgressFixed { checked, changed } => {
                return format!("Enrollments checked: {checked}, changed: {changed}");
            }
            Self::PageChanged => "Somebody else has changed this page since you opened it",
            Self::CourseDeleted => "Course deleted successfully",
            Self::ModuleDeleted => "Module deleted successfully",
            Self::LessonDeleted => "Lesson deleted successfully",
            Self::PageDeleted => "Page deleted successfully",
            Self::UnknownModule => "There is no such module in this course",
            Self::UnknownLesson => "There is no such lesson in this course",
            Self::QuizOnContentPage => "A content page has no quiz",
            Self::FileTooLarge(n) => return format!("The file is larger than {}", bytes(*n, "MB", "KB")),
            Self::QuotaFull => "There is no room left for your files; delete pages or courses you no longer need",
            Self::EmptyFile => "The file is empty",
            Self::NotAFile => "A file is expected here",
            Self::BrokenForm => "The form cannot be read: multipart/form-data is expected",
            Self::NotAPicture => "A picture is expected: PNG, JPEG, WebP, GIF or AVIF",
            Self::BrokenPicture => "The picture is broken, or of a kind that cannot be read here",
            Self::TooManyPixels(n) => return format!("The picture has more than {n} megapixels"),
            Self::FieldRequired => "Field required",
            Self::NotAString => "Input should be a valid string",
            Self::NotAnObject => "Input should be a valid dictionary or object to extract fields from",
            Self::BadJson => "JSON decode error",
            Self::BadInteger => "Input should be a valid integer, unable to parse string as an integer",
            Self::NotAnInteger => "Input should be a valid integer",
            Self::NotABoolean => "Input should be a valid boolean",
            Self::BadBoolean => "Input should be a valid boolean, unable to interpret input",
            Self::FractionalInteger => "Input should be a valid integer, got a number with a fractional part",
            Self::NotAUuid => "UUID input should be a string, bytes or UUID object",
            Self::ZeroByte => "Input should not contain a zero byte",
            Self::BadCursor => "This is no cursor of this list",
            Self::BadGraphqlBody => "This is no GraphQL request: an object with a `query` is expected",
            Self::MutationByGet => "GET takes queries only, a mutation needs POST",
            Self::SubscriptionByHttp => "Subscriptions are served over WebSocket only",
            Self::PersistedQueryNotFound => "PersistedQueryNotFound",
            Self::BadPersistedQuery => {
                "extensions.persistedQuery should be an object with version 1 and sha256Hash, 64 hexadecimal digits"
            }
            Self::WrongQueryHash => "The sha256Hash of persistedQuery is not that of the query",
            Self::FragmentCycle(name) => return format!("The fragment {name} spreads itself"),
            Self::OverLimit { limit, found, allowed } => return limit.text(Lang::En, *found, *allowed),
            Self::ForeignOrigin => "Pages of this origin may not connect",
            Self::BadUpgrade => "A WebSocket of version 13 with the subprotocol graphql-transport-ws is expected",
            Self::SubscriptionsOnly => "The WebSocket is for subscriptions only, send queries and mutations over HTTP",
            Self::OneFieldAtATime => "A subscription has exactly one field, and no fragment in its place",
            Self::EventsMissed => "Events were missed: read anew what you show, and subscribe again",
            Self::TooManySubscriptions(n) => return format!("At most {n} subscriptions at once on one connection"),
            Self::TooShort(n) => {
                return format!(
                    "String should have at least {n} character{}",
                    if *n == 1 { "" } else { "s" }
                );
            }
            Self::TooLong(n) => return format!("String should have at most {n} characters"),
            Self::IntegerTooSmall(n) => return format!("Input should be greater than or equal to {n}"),
            Self::BadEmail(problem) => {
                return format!("value is not a valid email address: {}", problem.text(Lang::En));
            }
            Self::UnknownFile(path) => {
                return format!("{path}: there is no such file, or it is not yours to use");
            }
            Self::UnknownPageLink(path) => return format!("{path}: there is no such page in this course"),
            Self::NotOneOf(words) => return format!("Input should be {}", choice(words, "or")),
            Self::BadTime => "Input should be a time such as 2026-11-21T09:00:00Z",
            Self::BadUuid(reason) => return format!("Input should be a valid UUID, {reason}"),
            Self::BadPattern(pattern) => return format!("String should match pattern '{pattern}'"),
            Self::Text { en, .. } => en,
        }
        .to_owned()
    }

    fn russian(&self) -> String {
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
            Self::CourseNotFound => "Курс не найден",
            Self::ModuleNotFound => "Модуль не найден",
            Self::LessonNotFound => "Урок не найден",
            Self::PageNotFound => "Страница не найдена",
            Self::VersionNotFound => "Такой версии у страницы нет",
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
            Self::CourseForbidden => "Ваша роль в этом курсе не позволяет этого",
            Self::OwnerOnly => "Это может сделать только владелец курса",
            Self::NotEnrolled => "Вы не записаны на этот курс",
            Self::StudentNotFound => "Такого студента нет",
            Self::StudentRemoved => "Студент исключён из курса",
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
            Self::UnknownHeir => "Такой действующей учётной записи нет",
            Self::UnknownShareCode => "Курса с таким кодом нет",
            Self::NoQuiz => "На этой странице нет теста",
            Self::OutOfAttempts => "Попыток больше не осталось",
            Self::EnrollmentNotFound => "Запись на курс не найдена",
            Self::AttemptsReset(n) => return format!("Удалено попыток: {n}"),
            Self::ProgressFixed { checked, changed } => {
                return format!("Проверено записей на курс: {checked}, изменено: {changed}");
            }
            Self::PageChanged => "Страница изменилась с тех пор, как вы её открыли",
            Self::CourseDeleted => "Курс удалён",
            Self::ModuleDeleted => "Модуль удалён",
            Self::LessonDeleted => "Урок удалён",
            Self::PageDeleted => "Страница удалена",
            Self::UnknownModule => "Такого модуля в этом курсе нет",
            Self::UnknownLesson => "Такого урока в этом курсе нет",
            Self::QuizOnContentPage => "У страницы с содержанием не бывает теста",
            Self::FileTooLarge(n) => return format!("Файл больше {}", bytes(*n, "МБ", "КБ")),
            Self::QuotaFull => "Место для ваших файлов закончилось: удалите ненужные страницы или курсы",
            Self::EmptyFile => "Файл пуст",
            Self::NotAFile => "Здесь ожидается файл",
            Self::BrokenForm => "Не удалось прочитать форму: ожидается multipart/form-data",
            Self::NotAPicture => "Ожидается картинка: PNG, JPEG, WebP, GIF или AVIF",
            Self::BrokenPicture => "Картинка повреждена или её вид здесь не читается",
            Self::TooManyPixels(n) => return format!("В картинке больше {n} мегапикселей"),
            Self::FieldRequired => "Обязательное поле",
            Self::NotAString => "Значение должно быть строкой",
            Self::NotAnObject => "Ожидается объект с полями",
            Self::BadJson => "Не удалось разобрать JSON",
            Self::NotABoolean | Self::BadBoolean => "Значение должно быть «да» или «нет»: true или false",
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
            Self::IntegerTooSmall(n) => return format!("Значение должно быть не меньше {n}"),
            Self::BadEmail(problem) => return format!("Неверный email. {}", problem.text(Lang::Ru)),
            Self::UnknownFile(path) => return format!("{path}: такого файла нет, или он вам недоступен"),
            Self::UnknownPageLink(path) => return format!("{path}: такой страницы в этом курсе нет"),
            Self::NotOneOf(words) => return format!("Допустимые значения: {}", choice(words, "или")),
            Self::BadTime => "Укажите время в виде 2026-11-21T09:00:00Z",
            Self::BadUuid(_) | Self::NotAUuid => "Неверный идентификатор",
            Self::BadPattern(pattern) => return format!("Строка должна соответствовать образцу {pattern}"),
            Self::Text { ru, .. } => ru,
        }
        .to_owned()
    }
}

/// `200 MB`; below one, `64 KB`.
fn bytes(n: u64, mega: &str, kilo: &str) -> String {
    match n >> 20 {
        0 => format!("{} {kilo}", n.div_ceil(1024)),
        n => format!("{n} {mega}"),
    }
}

/// `'a', 'b' or 'c'`
fn choice(words: &[&str], or: &str) -> String {
    let quoted: Vec<_> = words.iter().map(|word| format!("'{word}'")).collect();
    match quoted.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} {or} {last}", rest.join(", ")),
        _ => quoted.concat(),
    }
}

/// For logs; people get [`Message::text`].
impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.english())
    }
}

/// The Russian form of a noun after `n`: 1 символ, 2 символа, 5 символов.
pub fn plural<'a>(n: usize, one: &'a str, few: &'a str, many: &'a str) -> &'a str {
    match (n % 10, n % 100) {
        (1, r) if r != 11 => one,
        (2..=4, r) if !(12..=14).contains(&r) => few,
        _ => many,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_accept_language() {
        for (header, lang) in [
            ("", Lang::En),
            ("ru", Lang::Ru),
            ("ru-RU,ru;q=0.9,en;q=0.8", Lang::Ru),
            ("en-US,en;q=0.9,ru;q=0.8", Lang::En),
            ("de, ru;q=0.5, en;q=0.4", Lang::Ru),
            ("ru;q=0", Lang::En),
            ("fr;q=x,,;;", Lang::En),
        ] {
            assert_eq!(Lang::from_accept_language(header), lang, "{header}");
        }
    }

    #[test]
    fn a_mail_is_russian_unless_english_is_asked_for() {
        for (header, lang) in [
            ("", Lang::Ru),
            ("*", Lang::Ru),
            ("de", Lang::Ru),
            ("en", Lang::En),
            ("de,en-GB;q=0.5", Lang::En),
            ("en;q=0.5,ru", Lang::Ru),
        ] {
            assert_eq!(Lang::of_mail(header), lang, "{header}");
        }
    }

    #[test]
    fn russian_plurals() {
        let form = |n| plural(n, "символ", "символа", "символов");
        assert_eq!(
            [1, 2, 5, 11, 14, 21, 22, 111].map(form),
            [
                "символ",
                "символа",
                "символов",
                "символов",
                "символов",
                "символ",
                "символа",
                "символов",
            ]
        );
    }
}
