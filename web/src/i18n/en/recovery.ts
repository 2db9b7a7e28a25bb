/** Texts of password recovery and of the links in emails. */
export const recovery = {
  recover: {
    title: "Recover your password",
    lead: "Enter your account's email, and we will send you a link to set a new password.",
    submit: "Send the link",
    toLogin: "Remembered it? Log in",
    sent: "Check your email",
    sentText:
      "If there is an account for {{email}}, a message with the link is on its way. The link is valid for one hour and can be used once.",
    notThere: "No message? Check your spam folder and the address, or try again in a minute or two.",
    another: "Send again",
    back: "Back to login",
  },
  reset: {
    title: "New password",
    lead: "Choose a password of at least 8 characters. You will be logged out on every device.",
    submit: "Save the password",
    done: "Your new password has been saved. You can now log in.",
    dead: "The link does not work",
    deadText:
      "A link is valid for one hour and can be used once. Request a new one: it arrives within a minute.",
    again: "Request a new link",
    partial:
      "Part of the link is missing. Open the complete link from the email again, or request a new one.",
  },
  undo: {
    title: "Restore your old email",
    lead: "The email of your account was changed. If it was not you, restore the old one: all sessions will end, and the new email will no longer work for logging in.",
    submit: "Restore the old email",
    keep: "If it was you, simply close this page.",
    done: "Your old email has been restored",
    doneText: "All sessions have ended. Now set a new password, because someone else may know the old one.",
    newPassword: "Set a new password",
    dead: "The link does not work",
    deadText: "A link is valid for 72 hours and can be used once. The old email may already be restored.",
    partial: "Part of the link is missing. Open the complete link from the email again.",
    toLogin: "Log in",
  },
};
