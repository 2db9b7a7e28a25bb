/** Texts of the settings screen. */
export const settings = {
  title: "Settings",
  save: "Save",
  profile: {
    heading: "Profile",
    text: "Your name is visible to the teachers of your courses and to the learners of the courses you created.",
    fullName: "Full name",
    hint: "Without a name your email is shown instead.",
    saved: "Your name has been saved.",
  },
  email: {
    heading: "Sign-in email",
    text: "We will email your old address a link that undoes the change for 72 hours.",
    submit: "Change email",
    saved:
      "You now log in with {{email}}. We have sent an email to {{old}} with a link that undoes the change for 72 hours.",
  },
  password: {
    heading: "Password",
    text: "8 to 128 characters. After a change you are signed out everywhere else.",
    submit: "Change password",
    saved: "Your password has been changed, and all other sessions have ended.",
  },
  sessions: {
    heading: "Sessions",
    text: "Devices on which you are logged in. If you do not recognize one, end its session and change your password.",
    current: "this browser",
    seen: "Last seen {{when}}",
    unknown: "Unknown device",
    end: "End",
    endOf: "End the session: {{device}}",
    endTitle: "End the session: {{device}}?",
    endConfirm: "End the session",
    endOthers: "End all other sessions",
    endOthersTitle: "End all other sessions?",
    endText_one: "That device will have to log in again. This browser stays logged in.",
    endText_other: "{{count, number}} devices will have to log in again. This browser stays logged in.",
    ended_one: "The session has ended.",
    ended_other: "{{count, number}} sessions have ended.",
  },
  notices: {
    text: "What you are told in Kurso and by mail: at once, daily or never.",
    open: "Set up notices",
  },
  appearance: {
    heading: "Appearance",
    text: "Saved in this browser.",
    theme: "Theme",
    light: "Light",
    dark: "Dark",
  },
  delete: {
    heading: "Delete the account",
    text: "Your enrollments and results will be deleted too. You can transfer your courses first.",
    superuser:
      "Administrators cannot delete their own accounts. Ask another administrator to remove your rights or delete the account.",
    ask: "Delete the account…",
    title: "Delete the account?",
    what: "You will no longer be able to log in. Your enrollments, reading progress and quiz attempts will be permanently deleted.",
    courses_one:
      "This is what will happen to your course. You can transfer it to anyone with an account first.",
    courses_other:
      "This is what will happen to your courses. You can transfer them to anyone with an account first.",
    goes: "No students: the course will be deleted.",
    toEditor: "{{students}}: the course will be transferred to its editor, {{heir}}.",
    toSuperuser: "{{students}}: the course will be transferred to an administrator.",
    give: "Transfer",
    giveOf: "Transfer the course “{{course}}”",
    newOwnerOf: "New owner's email for the course “{{course}}”",
    confirm: "Delete the account",
    done: "The account has been deleted.",
  },
};
