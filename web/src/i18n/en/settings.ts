/** The screen of one's own account. */
export const settings = {
  title: "Settings",
  save: "Save",
  profile: {
    heading: "Profile",
    text: "Teachers of your courses see your name, and so do the learners of those you wrote.",
    fullName: "Full name",
    hint: "Without a name your email is shown instead.",
    tooLong: "A name has at most 255 characters",
    saved: "Your name is saved.",
  },
  email: {
    heading: "Address to log in with",
    text: "The old address gets a mail with a link that brings it back for 72 hours.",
    submit: "Change the email",
    saved:
      "You now log in with {{email}}. A mail is on its way to {{old}}: the link in it brings the old address back for 72 hours.",
  },
  password: {
    heading: "Password",
    text: "8 to 128 characters. After a change you are signed out everywhere else.",
    submit: "Change the password",
    saved: "The password is changed; all other sessions have ended.",
  },
  sessions: {
    heading: "Sessions",
    text: "Where your account is open. A device you do not know? End its session and change your password.",
    current: "this browser",
    seen: "Last seen {{when}}",
    unknown: "Unknown device",
    end: "End",
    endOf: "End the session: {{device}}",
    endTitle: "End the session: {{device}}?",
    endConfirm: "End the session",
    endOthers: "End all other sessions",
    endOthersTitle: "End all other sessions?",
    endText_one: "One will have to log in there again. This browser stays signed in.",
    endText_other:
      "One will have to log in again on {{count, number}} devices. This browser stays signed in.",
    ended_one: "The session has ended.",
    ended_other: "{{count, number}} sessions have ended.",
  },
  appearance: {
    heading: "Appearance",
    text: "Kept in this browser.",
    theme: "Theme",
    light: "Light",
    dark: "Dark",
  },
  delete: {
    heading: "Delete the account",
    text: "Your enrollments and results go with it. Before that you may hand your courses over.",
    superuser:
      "An administrator cannot delete their own account. Ask another administrator to take your rights away or to delete it.",
    ask: "Delete the account…",
    title: "Delete the account?",
    what: "You will not be able to log in any more. Your enrollments, the pages you have read and your attempts are gone for good.",
    courses_one:
      "This is what becomes of your course. Until then it can be handed to anyone with an account.",
    courses_other:
      "This is what becomes of your courses. Until then they can be handed to anyone with an account.",
    goes: "Nobody learns it: the course goes.",
    toEditor: "{{students}}: the course passes to its editor, {{heir}}.",
    toSuperuser: "{{students}}: the course passes to an administrator.",
    give: "Hand over",
    giveOf: "Hand over the course “{{course}}”",
    newOwnerOf: "Email of the new owner of the course “{{course}}”",
    confirm: "Delete the account",
    done: "The account is deleted.",
  },
};
