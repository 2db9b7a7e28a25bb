"""The part of walk.py about quizzes, grades and question banks."""

from io import BytesIO
from typing import Any
from uuid import UUID

from client import NOWHERE, banks, course, courses, document, learner_of, ok, person, refused, upload
from kurso_client import models as m
from kurso_client.types import File


def grades(owner: Any, learner: Any, course_id: UUID, enrollment_id: UUID) -> None:
    """The gradebook of a course with one learner."""
    category = m.GradeCategoryCreate(title="Tests", weight="62.5")
    made = ok(courses.create_grade_category, owner, course_id=course_id, body=category)
    category_id = made.categories[0].id
    heavy = m.GradeCategoryCreate(title="Tests", weight="100.5")
    refused(422, courses.create_grade_category, owner, course_id=course_id, body=heavy)
    change = m.GradeCategoryUpdate(drop_lowest=1)
    changed = ok(courses.update_grade_category, owner, category_id=category_id, body=change)
    assert (changed.categories[0].drop_lowest, changed.categories[0].weight) == (1, "62.5")
    five: Any = m.GradeSettingsUpdate.from_dict({"scheme": "five_point", "thresholds": ["90", "75", "60"]})
    settings = ok(courses.update_grade_settings, owner, course_id=course_id, body=five)
    assert settings.labels == ["5", "4", "3", "2"]
    page_ids = [item.page_id for item in settings.items]
    items = m.GradeItemsSet(page_ids=page_ids, category_id=category_id, points="12.5")
    assert ok(courses.set_grade_items, owner, course_id=course_id, body=items).items[0].points == "12.5"
    book = ok(courses.gradebook, owner, course_id=course_id, sort="-total")
    assert (book.count, book.data[0].enrollment_id) == (1, enrollment_id)
    assert ok(courses.grade_settings, owner, course_id=course_id).labels == settings.labels
    decision: Any = m.GradeDecide.from_dict(
        {"page_id": None, "version": 0, "kind": "override", "points": "75", "reason": "Effort"}
    )
    decided = ok(courses.decide_grade, owner, enrollment_id=enrollment_id, body=decision)
    assert (decided.row.total.label, decided.history[0].points) == ("4", "75")
    refused(409, courses.decide_grade, owner, enrollment_id=enrollment_id, body=decision)
    assert len(ok(courses.grade, owner, enrollment_id=enrollment_id).history) == 1
    own = ok(courses.my_grades, learner, course_id=course_id)
    assert (own.total.percent, own.reason) == ("75", "Effort")
    refused(403, courses.gradebook, learner, course_id=course_id)
    table = m.GradesImport(table="Email\nnobody@example.com\n", reason="A list")
    preview = ok(courses.import_grades, owner, course_id=course_id, body=table)
    assert (preview.changes, preview.refusals[0].line) == ([], 2)
    table.digest = "outdated"
    refused(409, courses.import_grades, owner, course_id=course_id, body=table)
    ok(courses.delete_grade_category, owner, category_id=category_id)


def test_an_essay_graded_by_a_person() -> None:
    owner, _, _ = person()
    course_id, _, lesson_id, _ = course(owner)
    essay = {"type": "essay", "prompt": document("Why?"), "points": 4, "min_words": 2}
    quiz = {"release": "together", "questions": [essay]}
    body: Any = m.PageCreate.from_dict({"kind": "quiz", "quiz": quiz})
    page_id = ok(courses.create_page, owner, lesson_id=lesson_id, body=body).id
    client = learner_of(owner, course_id)
    question = ok(courses.enrolled_page, client, page_id=page_id).quiz.questions[0]
    assert isinstance(question, m.LearnerEssay) and question.min_words == 2
    answers = [{"question_id": str(question.id), "content": document("Because of it")}]
    attempt = ok(courses.submit_quiz, client, page_id=page_id, body=m.SubmitQuiz.from_dict({"answers": answers}))
    assert (attempt.waiting_answers, attempt.results[0].is_waiting) == (1, True)
    queued = ok(courses.grading_queue, owner, course_id=course_id, state="waiting").data[0]
    answer: dict[str, Any] = {"attempt_id": queued.attempt_id, "question_id": queued.question_id}
    assert ok(courses.claim_next_answer, owner, course_id=course_id).attempt_id == attempt.attempt_id
    assert ok(courses.claim_answer, owner, **answer).words == 3
    body = m.AnswerAssess(version=0, points=3.5, comment="Good")
    assert ok(courses.assess_answer, owner, body=body, **answer).state.value == "graded"
    assert refused(409, courses.assess_answer, owner, body=body, **answer).answer.points == 3.5
    ok(courses.release_assessments, owner, page_id=page_id)
    assert ok(courses.open_answer, owner, **answer).history[0].comment == "Good"
    attempt = ok(courses.enrolled_page, client, page_id=page_id).attempts[0]
    assert (attempt.percent, attempt.results[0].comment) == (87, "Good")

    quiz = {**quiz, "questions": [{**essay, "id": str(question.id), "points": 8}]}
    draft = ok(courses.update_page, owner, page_id=page_id, body=m.PageUpdate.from_dict({"draft": True, "quiz": quiz}))
    shown = {"page_id": str(page_id), "version": draft.version, "page_version": 1}
    body = m.PageDraftsPublish.from_dict({"pages": [shown], "past_attempts": "regrade"})
    regrade = ok(courses.publish_page_drafts, owner, course_id=course_id, body=body).regrade
    assert (regrade.attempts, regrade.changed) == (1, 1)
    assert ok(courses.enrolled_page, client, page_id=page_id).attempts[0].score == 7
    assert ok(courses.undo_regrade, owner, regrade_id=regrade.id).left == 0


def test_an_essay_graded_by_a_rubric() -> None:
    owner, _, _ = person()
    course_id, _, lesson_id, _ = course(owner)
    criterion = {"name": "Idea", "levels": [{"name": "Clear", "points": 2}, {"name": "None", "points": 0}]}
    rubric = {"is_shown": True, "criteria": [criterion]}
    essay = {"type": "essay", "prompt": document("Why?"), "points": 2, "rubric": rubric}
    body: Any = m.PageCreate.from_dict({"kind": "quiz", "quiz": {"questions": [essay]}})
    page_id = ok(courses.create_page, owner, lesson_id=lesson_id, body=body).id
    used = ok(courses.rubrics, owner, course_id=course_id)[0]
    assert (used.page_id, used.number, used.prompt) == (page_id, 1, "Why?")
    client = learner_of(owner, course_id)
    refused(403, courses.rubrics, client, course_id=course_id)
    question = ok(courses.enrolled_page, client, page_id=page_id).quiz.questions[0]
    criterion = question.rubric.criteria[0]
    answers = [{"question_id": str(question.id), "content": document("Because of it")}]
    attempt = ok(courses.submit_quiz, client, page_id=page_id, body=m.SubmitQuiz.from_dict({"answers": answers}))
    answer: dict[str, Any] = {"attempt_id": attempt.attempt_id, "question_id": question.id}
    mark = m.MarkWrite(criterion_id=criterion.id, level_id=criterion.levels[0].id, comment="Well")
    pin = m.PinnedCommentWrite(start=0, end=7, comment="Here")
    graded = ok(courses.assess_answer, owner, body=m.AnswerAssess(version=0, marks=[mark], pins=[pin]), **answer)
    assert (graded.points, graded.marks[0].level_id, graded.pins[0].end) == (2, mark.level_id, 7)
    result = ok(courses.enrolled_page, client, page_id=page_id).attempts[0].results[0]
    assert (result.marks[0].level, result.marks[0].comment, result.pins[0].comment) == ("Clear", "Well", "Here")


def test_a_file_that_answers_a_question() -> None:
    owner, _, _ = person()
    course_id, _, lesson_id, _ = course(owner)
    files = {"type": "file_upload", "prompt": document("Your picture?"), "extensions": ["png"]}
    body: Any = m.PageCreate.from_dict({"kind": "quiz", "quiz": {"questions": [files]}})
    page_id = ok(courses.create_page, owner, lesson_id=lesson_id, body=body).id
    client = learner_of(owner, course_id)
    question = ok(courses.enrolled_page, client, page_id=page_id).quiz.questions[0]
    assert isinstance(question, m.LearnerFileUpload) and (question.max_files, question.extensions) == (1, ["png"])
    place = {"page_id": page_id, "question_id": question.id}
    file = ok(courses.upload_answer_file, client, body=upload(), **place)
    answers = [{"question_id": str(question.id), "file_ids": [str(file.id)]}]
    attempt = ok(courses.submit_quiz, client, page_id=page_id, body=m.SubmitQuiz.from_dict({"answers": answers}))
    read = ok(courses.open_answer, owner, attempt_id=attempt.attempt_id, question_id=question.id)
    assert (read.content, [one.id for one in read.files]) == (None, [file.id])


def test_places_on_a_picture_and_the_time_on_a_question() -> None:
    owner, _, _ = person()
    course_id, _, lesson_id, _ = course(owner)
    file = ok(courses.upload_file, owner, body=upload())
    picture = {"type": "doc", "content": [{"type": "image", "attrs": {"src": file.url}}]}
    zones = [
        {"shape": "rectangle", "x": 10, "y": 10, "width": 20.5, "height": 20},
        {"shape": "ellipse", "x": 70, "y": 70, "radius_x": 10, "radius_y": 5},
    ]
    hotspot = {"type": "hotspot", "prompt": document("Where?"), "picture": picture, "zones": zones, "mark_all": True}
    quiz = {"reveal": "after_submit", "questions": [hotspot]}
    body: Any = m.PageCreate.from_dict({"kind": "quiz", "quiz": quiz})
    page_id = ok(courses.create_page, owner, lesson_id=lesson_id, body=body).id
    client = learner_of(owner, course_id)
    question = ok(courses.enrolled_page, client, page_id=page_id).quiz.questions[0]
    assert isinstance(question, m.LearnerHotspot) and question.max_places == 2
    places = [m.MarkedPlace(x=50, y=50), m.MarkedPlace(x=30.5, y=30)]
    answer = m.HotspotAnswer(question_id=question.id, places=places, seconds=12.5)
    attempt = ok(courses.submit_quiz, client, page_id=page_id, body=m.SubmitQuiz(answers=[answer]))
    result = attempt.results[0]
    assert (attempt.percent, result.right_places) == (50, [False, True])
    assert isinstance(result.zones[0], m.RectangleZone) and result.zones[0].width == 20.5
    measured = ok(courses.quiz_analysis, owner, page_id=page_id).questions[0]
    assert (measured.median_seconds, measured.timed_count) == (12.5, 1)


def test_a_quiz_with_a_time_limit() -> None:
    owner, _, _ = person()
    course_id, _, lesson_id, _ = course(owner)
    questions = [{"type": "numeric", "prompt": document("2 + 2?"), "value": 4}]
    quiz = {"time_limit_seconds": 600, "grace_seconds": 5, "questions": questions}
    body: Any = m.PageCreate.from_dict({"kind": "quiz", "quiz": quiz})
    page_id = ok(courses.create_page, owner, lesson_id=lesson_id, body=body).id
    client = learner_of(owner, course_id)
    page = ok(courses.enrolled_page, client, page_id=page_id)
    assert (page.quiz.questions, page.quiz.question_count, page.running_attempt) == ([], 1, None)
    started = ok(courses.start_attempt, client, page_id=page_id)
    assert (started.attempt.attempt_no, started.attempt.duration_seconds) == (1, 600)
    answers = [{"question_id": str(started.quiz.questions[0].id), "number": "4"}]
    save = {"ticket": started.attempt.ticket, "elapsed_seconds": 0.5, "answers": answers}
    saved = ok(courses.save_answers, client, page_id=page_id, body=m.SaveAnswers.from_dict(save))
    assert saved.elapsed_seconds >= started.attempt.elapsed_seconds
    running = ok(courses.enrolled_page, client, page_id=page_id).running_attempt
    assert [one.to_dict() for one in running.answers] == answers
    assert ok(courses.submit_quiz, client, page_id=page_id, body=m.SubmitQuiz(answers=[])).passed
    refused(409, courses.save_answers, client, page_id=page_id, body=m.SaveAnswers.from_dict(save))
    refused(403, courses.start_attempt, owner, page_id=page_id)


def test_a_quiz_that_is_checked_question_by_question() -> None:
    owner, _, _ = person()
    course_id, _, lesson_id, _ = course(owner)
    questions = [{"type": "numeric", "prompt": document("How much?"), "value": value} for value in (4, 6)]
    quiz = {"checking": "each_question", "reveal": "after_submit", "questions": questions}
    body: Any = m.PageCreate.from_dict({"kind": "quiz", "quiz": quiz})
    page_id = ok(courses.create_page, owner, lesson_id=lesson_id, body=body).id
    client = learner_of(owner, course_id)
    started = ok(courses.start_attempt, client, page_id=page_id)
    assert started.attempt.checked == []
    ticket, question_id = started.attempt.ticket, str(started.quiz.questions[0].id)

    def check(number: str) -> Any:
        answer = {"question_id": question_id, "number": number}
        return m.CheckAnswer.from_dict({"ticket": ticket, "elapsed_seconds": 0, "answer": answer})

    checked = ok(courses.check_answer, client, page_id=page_id, body=check("5"))
    assert (checked.result.correct, checked.answer.to_dict()["number"]) == (False, "5")
    assert ok(courses.check_answer, client, page_id=page_id, body=check("4")).result == checked.result
    assert ok(courses.enrolled_page, client, page_id=page_id).running_attempt.checked == [checked.result]
    refused(403, courses.check_answer, owner, page_id=page_id, body=check("4"))
    assert ok(courses.submit_quiz, client, page_id=page_id, body=m.SubmitQuiz(answers=[])).percent == 0
    refused(409, courses.check_answer, client, page_id=page_id, body=check("4"))


def test_a_missed_question_is_practised() -> None:
    owner, _, _ = person()
    course_id, _, lesson_id, _ = course(owner)
    quiz = {"reveal": "after_submit", "questions": [{"type": "numeric", "prompt": document("How much?"), "value": 4}]}
    body: Any = m.PageCreate.from_dict({"kind": "quiz", "quiz": quiz})
    page_id = ok(courses.create_page, owner, lesson_id=lesson_id, body=body).id
    client = learner_of(owner, course_id)
    assert ok(courses.practice, client).next_due_at is None
    assert ok(courses.submit_quiz, client, page_id=page_id, body=m.SubmitQuiz(answers=[])).percent == 0
    later = ok(courses.practice, client)
    assert (later.due_count, later.questions) == (0, []) and later.next_due_at is not None
    answer = m.PracticeAnswer.from_dict({"reviews": 1, "answer": {"question_id": str(NOWHERE), "number": "4"}})
    refused(404, courses.answer_practice, client, card_id=NOWHERE, body=answer)
    refused(404, courses.set_practice, client, card_id=NOWHERE, body=m.PracticeSet(is_stopped=True))


def test_work_that_is_returned_and_handed_in_again() -> None:
    owner, _, _ = person()
    course_id, _, lesson_id, _ = course(owner)
    body: Any = m.PageCreate.from_dict({"kind": "assignment"})
    page_id = ok(courses.create_page, owner, lesson_id=lesson_id, body=body).id
    client = learner_of(owner, course_id)
    question = ok(courses.enrolled_page, client, page_id=page_id).quiz.questions[0]
    assert isinstance(question, m.LearnerHandIn) and (question.takes_text, question.max_files) == (True, 5)
    assert ok(courses.answer_draft, client, page_id=page_id).draft is None
    draft = m.AnswerDraftSave.from_dict({"version": 0, "content": document("So far")})
    saved = ok(courses.save_answer_draft, client, page_id=page_id, body=draft).draft
    assert (saved.version, saved.answer.question_id) == (1, question.id)
    other = m.AnswerDraftSave.from_dict({"version": 0, "content": document("Else")})
    assert refused(409, courses.save_answer_draft, client, page_id=page_id, body=other).stored.draft.version == 1
    refused(403, courses.answer_draft, owner, page_id=page_id)
    answers = [{"question_id": str(question.id), "content": document("Finished"), "file_ids": [], "links": []}]
    work = m.SubmitQuiz.from_dict({"answers": answers})
    first = ok(courses.submit_quiz, client, page_id=page_id, body=work)
    assert ok(courses.answer_draft, client, page_id=page_id).draft is None
    answer: dict[str, Any] = {"attempt_id": first.attempt_id, "question_id": question.id}
    back = m.AnswerAssess(version=0, is_returned=True, comment="Why?")
    returned = ok(courses.assess_answer, owner, body=back, **answer)
    assert (returned.is_returned, returned.points, returned.links) == (True, None, [])
    second = ok(courses.submit_quiz, client, page_id=page_id, body=work)
    answer["attempt_id"] = second.attempt_id
    ok(courses.assess_answer, owner, body=m.AnswerAssess(version=0, points=9, comment="Good"), **answer)
    attempts = ok(courses.enrolled_page, client, page_id=page_id).attempts
    assert [(attempt.is_returned, attempt.percent) for attempt in attempts] == [(True, 0), (False, 90)]


def test_a_quiz_taken_by_a_learner_and_seen_by_its_owner() -> None:
    owner, _, _ = person()
    course_id, _, lesson_id, _ = course(owner)
    quiz = {"max_attempts": 1, "questions": [{"type": "numeric", "prompt": document("2 + 2?"), "value": 4}]}
    body: Any = m.PageCreate.from_dict({"kind": "quiz", "quiz": quiz})
    page_id = ok(courses.create_page, owner, lesson_id=lesson_id, body=body).id
    code = ok(courses.generate_share_code, owner, course_id=course_id).share_code
    client, email, _ = person()
    enrollment_id = ok(courses.enroll, client, body=m.EnrollRequest(share_code=code)).id
    page = ok(courses.enrolled_page, client, page_id=page_id)
    question = page.quiz.questions[0]
    assert isinstance(question, m.LearnerNumeric)
    answer = m.NumberAnswer(question_id=question.id, number="4,0")
    body = m.SubmitQuiz(answers=[answer], version=page.version)
    attempt = ok(courses.submit_quiz, client, page_id=page_id, body=body)
    assert (attempt.passed, attempt.attempts_left, attempt.results[0].correct) == (True, 0, True)
    assert attempt.results[0].correct_answer.number == "4"
    refused(409, courses.submit_quiz, client, page_id=page_id, body=body)
    facts = ok(courses.debug_progress, client, course_id=course_id)
    assert (facts.percent, facts.pages[1].best_percent) == (50, 100)

    fixed = ok(courses.fix_progress, owner, course_id=course_id)
    assert (fixed.checked, fixed.changed) == (1, [])
    students = ok(courses.course_students, owner, course_id=course_id, search=email, sort="-percent")
    assert students.data[0].enrollment_id == enrollment_id
    student = ok(courses.student_detailed_progress, owner, enrollment_id=enrollment_id)
    assert student.modules[0].lessons[0].pages[1].attempts[0].percent == 100
    heat = ok(courses.course_heat_map, owner, course_id=course_id)
    assert heat.modules[0].lessons[0].pages[1].quiz.passed_percent == 100
    analysis = ok(courses.quiz_analysis, owner, page_id=page_id)
    assert (analysis.attempts, analysis.questions[0].facility) == (1, 1)
    assert analysis.flags == [m.QuizFlag.FEW_ATTEMPTS]
    refused(403, courses.quiz_analysis, client, page_id=page_id)
    group_id = ok(courses.create_group, owner, course_id=course_id, body=m.GroupCreate(title="Boats")).id
    ok(courses.update_group, owner, group_id=group_id, body=m.GroupUpdate(title="Rafts", position=0))
    code = ok(courses.generate_group_code, owner, group_id=group_id).share_code
    assert ok(courses.enroll, client, body=m.EnrollRequest(share_code=code)).group_title == "Rafts"
    assert ok(courses.groups, owner, course_id=course_id).data[0].students == 1
    move = m.StudentsMove(enrollment_ids=[enrollment_id], group_id=None)
    assert ok(courses.move_students, owner, course_id=course_id, body=move).moved == [enrollment_id]
    move = m.StudentsMoveByEmail(emails=f"{email}, nobody@example.com", group_id=group_id)
    moved = ok(courses.move_students_by_email, owner, course_id=course_id, body=move)
    assert (moved.moved, moved.not_found) == ([email], ["nobody@example.com"])
    move = m.StudentsMove(enrollment_ids=[enrollment_id], group_id=NOWHERE)
    refused(422, courses.move_students, owner, course_id=course_id, body=move)
    students = ok(courses.course_students, owner, course_id=course_id, group_id=str(group_id))
    assert students.data[0].group.title == "Rafts"
    assert ok(courses.remove_group_code, owner, group_id=group_id).share_code is None
    refused(403, courses.groups, client, course_id=course_id)
    longer = m.OverrideSet(enrollment_id=enrollment_id, available_until=None, time_factor=1.5)
    override = ok(courses.set_override, owner, course_id=course_id, body=longer)
    assert (override.time_factor, override.lifted, override.email) == (1.5, ["available_until"], email)
    unknown = m.OverrideSet(group_id=NOWHERE, due_at=None)
    refused(422, courses.set_override, owner, course_id=course_id, body=unknown)
    overrides = ok(courses.overrides, owner, course_id=course_id, enrollment_id=enrollment_id)
    assert (overrides.count, overrides.data[0].id) == (1, override.id)
    refused(403, courses.overrides, client, course_id=course_id)
    start = m.PartDatesChange(starts_at="2001-09-01T10:00:00Z", expected_dates=m.ExpectedDates(starts_at=None))
    dates = m.DatesSet(dates=[start, m.PartDatesChange(override_id=override.id)], shift_days=7)
    moved = ok(courses.set_dates, owner, course_id=course_id, body=dates)
    assert (len(moved.dates), str(moved.dates[1].override_id)) == (2, str(override.id))
    refused(409, courses.set_dates, owner, course_id=course_id, body=dates)
    due = m.DatesSet(dates=[m.PartDatesChange(due_at="2001-09-01")])
    refused(422, courses.set_dates, owner, course_id=course_id, body=due)
    refused(403, courses.set_dates, client, course_id=course_id, body=dates)
    entry = m.OverrideEntry(available_until=None, time_factor=1.5)
    many = m.OverridesSet(enrollment_id=enrollment_id, overrides=[entry])
    assert len(ok(courses.set_overrides, owner, course_id=course_id, body=many).overrides) == 1
    refused(403, courses.set_overrides, client, course_id=course_id, body=many)
    stale = m.OverridesSet(enrollment_id=enrollment_id, overrides=[m.OverrideEntry(expected=None)])
    refused(409, courses.set_overrides, owner, course_id=course_id, body=stale)
    times = ok(courses.override_times, owner, course_id=course_id, enrollment_id=enrollment_id)
    assert times.earlier_ends == []
    refused(403, courses.override_times, client, course_id=course_id)
    again = m.OverrideSet(enrollment_id=enrollment_id, time_factor=2, expected=None)
    refused(409, courses.set_override, owner, course_id=course_id, body=again)
    read = '{"available_until": null, "time_factor": 1.5}'
    refused(409, courses.delete_override, owner, override_id=override.id, expected="{}")
    ok(courses.delete_override, owner, override_id=override.id, expected=read)
    ok(courses.delete_group, owner, group_id=group_id)
    grades(owner, client, course_id, enrollment_id)
    ok(courses.grant_attempt, owner, enrollment_id=enrollment_id, page_id=page_id)
    refused(409, courses.grant_attempt, owner, enrollment_id=enrollment_id, page_id=page_id)
    ok(courses.take_back_attempt, owner, enrollment_id=enrollment_id, page_id=page_id)
    refused(409, courses.take_back_attempt, owner, enrollment_id=enrollment_id, page_id=page_id)
    ok(courses.reset_attempts, owner, enrollment_id=enrollment_id, page_id=page_id)
    read = ok(courses.read_questions, owner, body=m.QuestionsText(text="2 + 2 {=4}"))
    assert (len(read.questions), read.report) == (1, [])
    refused(422, courses.read_questions, owner, body=m.QuestionsText(text=""))
    tried = ok(courses.try_quiz, owner, page_id=page_id, body=body)
    assert (tried.passed, tried.attempts_left) == (True, 0)
    ok(courses.remove_student, owner, enrollment_id=enrollment_id)
    refused(404, courses.debug_progress, client, course_id=course_id)


def test_banks() -> None:
    client = person()[0]
    colleague, address_of_colleague, user_id = person()
    bank_id = ok(banks.create_bank, client, body=m.BankWrite(title="Algebra")).id
    ok(banks.update_bank, client, bank_id=bank_id, body=m.BankWrite(title="Geometry"))
    assert ok(banks.my_banks, client).data[0].title == "Geometry"
    question = {"type": "numeric", "prompt": "2 + 2?", "value": 4}
    body = m.BankQuestionsAdd.from_dict({"questions": [{"question": question, "tags": ["sums"]}]})
    question_id = ok(banks.add_questions, client, bank_id=bank_id, body=body).questions[0].id
    body = m.BankQuestionUpdate.from_dict({"version": 1, "question": {**question, "value": 5}})
    assert ok(banks.update_question, client, question_id=question_id, body=body).version == 2
    assert refused(409, banks.update_question, client, question_id=question_id, body=body).question.version == 2
    assert ok(banks.question_versions, client, question_id=question_id).count == 1
    found = ok(banks.questions, client, bank_id=bank_id, search="2", tag=["sums"], kind="numeric")
    assert (found.count, found.drawable) == (1, 1)
    assert len(ok(banks.questions_by_id, client, id=[question_id]).data) == 1
    body = m.BankQuestionsTag.from_dict({"question_ids": [str(question_id)], "add": ["easy"], "remove": ["sums"]})
    assert ok(banks.tag_questions, client, bank_id=bank_id, body=body).tags[0].name == "easy"
    upload_of = m.FileUpload(file=File(payload=BytesIO(b"3 + 3 {#6}"), file_name="sums.gift"))
    assert ok(banks.import_questions, client, bank_id=bank_id, body=upload_of).count == 1
    body = m.BankShare.from_dict({"email": address_of_colleague, "role": "viewer"})
    assert ok(banks.share, client, bank_id=bank_id, body=body).members[0].user_id == user_id
    assert ok(banks.get_bank, colleague, bank_id=bank_id).role == "viewer"
    refused(403, banks.delete_bank, colleague, bank_id=bank_id)
    ok(banks.unshare, colleague, bank_id=bank_id, user_id=user_id)
    body = m.BankQuestionsDelete(question_ids=[question_id])
    assert ok(banks.delete_questions, client, bank_id=bank_id, body=body).questions_count == 1
    ok(banks.delete_bank, client, bank_id=bank_id)
    refused(404, banks.get_bank, client, bank_id=bank_id)
