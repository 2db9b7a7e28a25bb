import { describe, expect, test } from "vitest";
import { guardedForms, sources } from "../testing/guardedForms";

/** The files with text fields that need no guard, and why. */
const UNGUARDED: Record<string, string> = {
  "admin/Audit.tsx": "a filter, which the address has",
  "announcements/Writing.tsx": "an announcement, whose draft stays on the device",
  "auth/AuthField.tsx": "a field; its form has the guard",
  "auth/LoginForm.tsx": "an address and a password, which the browser keeps",
  "auth/RecoverForm.tsx": "an address, which the browser keeps",
  "auth/ResetForm.tsx": "two passwords, which the browser keeps",
  "banks/TagsField.tsx": "tags, which are stored as soon as they are added, or with their question",
  "certificates/Colours.tsx": "colours of DesignForm, which guards them",
  "comments/Composer.tsx": "a comment, whose draft stays on the device",
  "dates/DateCell.tsx": "a cell; its table has the guard",
  "dates/DateField.tsx": "a field; its form has the guard",
  "dates/ShiftBar.tsx": "days to shift by, which are not stored",
  "editor/frame/TitleField.tsx": "part of the page, which is saved and has drafts",
  "editor/panel/Field.tsx": "part of the page, which is saved and has drafts",
  "gradebook/CellInput.tsx": "a cell; its table has the guard",
  "grading/AssessForm.tsx": "fields of useAssessment, which guards them",
  "grading/MarksForm.tsx": "fields of useAssessment, which guards them",
  "grading/PinFields.tsx": "fields of useAssessment, which guards them",
  "notes/NoteForm.tsx": "a note, whose draft stays on the device",
  "outline/PictureCrop.tsx": "a slider",
  "overrides/LimitField.tsx": "a field of OverrideDialog, which guards it",
  "palette/Palette.tsx": "a search",
  "quiz-builder/AcceptedList.tsx": "part of the page, which is saved and has drafts",
  "quiz-builder/AnswerEditor.tsx": "part of the page, which is saved and has drafts",
  "quiz-builder/CriterionEditor.tsx": "part of the page, which is saved and has drafts",
  "quiz-builder/FileKindsField.tsx": "part of the page, which is saved and has drafts",
  "quiz-builder/FormulaEditor.tsx": "part of the page, which is saved and has drafts",
  "quiz-builder/OptionsEditor.tsx": "part of the page, which is saved and has drafts",
  "quiz-builder/PointsField.tsx": "part of the page, which is saved and has drafts",
  "quiz-builder/UnitsEditor.tsx": "part of the page; units that cannot be stored are asked about",
  "quiz-builder/hotspot/PicturePicker.tsx": "a file; its upload asks before it is lost",
  "quiz-builder/parts.tsx": "part of the page, which is saved and has drafts",
  "quiz/fields/Choice.tsx": "answers, which have drafts",
  "quiz/fields/FillBlank.tsx": "answers, which have drafts",
  "quiz/fields/HotspotNumbers.tsx": "answers, which have drafts",
  "quiz/fields/LinksInput.tsx": "answers, which have drafts",
  "quiz/fields/Written.tsx": "answers, which have drafts",
  "ui/Checkbox.tsx": "a checkbox",
  "ui/ConfirmDialog.tsx": "a confirmation by typing, which is not stored",
  "ui/PasswordField.tsx": "a field; its form has the guard",
  "ui/SearchField.tsx": "a search, which the address has",
  "ui/TextArea.tsx": "a field; its form has the guard",
  "ui/TextField.tsx": "a field; its form has the guard",
};

/** An element that takes typed text: not a checkbox, a radio button or a file. */
const TEXT_FIELD =
  /<(TextField|TextArea|PasswordField|AuthField|textarea)\b|<input\b(?![^>]*type="(checkbox|radio|file)")/;

describe("typed text is not lost silently", () => {
  test("every file with a text field guards its text or says why it needs no guard", () => {
    const withFields = sources.filter(({ text }) => TEXT_FIELD.test(text));
    const unguarded = withFields
      .filter(({ text }) => guardedForms(text).length === 0)
      .map(({ file }) => file);
    expect(unguarded.sort()).toEqual(Object.keys(UNGUARDED).sort());
  });

  test("each form has a name of its own", () => {
    const names = sources.flatMap(({ text }) => guardedForms(text));
    expect(names.length).toBeGreaterThan(0);
    expect(names).toEqual([...new Set(names)]);
  });

  test("forms use react-hook-form through the guard", () => {
    const direct = sources.filter(({ text }) => /\buseForm\b/.test(text)).map(({ file }) => file);
    expect(direct.sort()).toEqual([
      "auth/LoginForm.tsx",
      "auth/RecoverForm.tsx",
      "auth/ResetForm.tsx",
      "forms/useGuardedForm.ts",
    ]);
  });
});
