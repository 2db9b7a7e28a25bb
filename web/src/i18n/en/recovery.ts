/** Getting back in: the links that mails carry. */
export const recovery = {
  recover: {
    title: "Recover your password",
    lead: "Enter the email of your account: we will send a link that sets a new password.",
    submit: "Send the link",
    toLogin: "Remember it after all? Log in",
    sent: "Check your mail",
    sentText:
      "If there is an account with {{email}}, a message with the link is on its way. The link works for one hour, and once.",
    notThere: "Nothing there? Look into spam, check the address, or ask again in a minute or two.",
    another: "Ask again",
    back: "Back to logging in",
  },
  reset: {
    title: "New password",
    lead: "Choose a password of at least 8 characters. You will be signed out on every device.",
    submit: "Save the password",
    done: "The new password is saved. Now log in.",
    dead: "The link does not work",
    deadText: "It works for one hour, and once. Ask for a new one: it arrives within a minute.",
    again: "Ask for a new link",
    partial: "A part of the link is missing. Open it from the mail once more, whole, or ask for a new one.",
  },
  undo: {
    title: "Bring the old address back",
    lead: "The address of your account was changed. If it was not you, bring the old one back: everybody is signed out, and the new address no longer signs in.",
    submit: "Bring the old address back",
    keep: "Was it you? Then simply close this page.",
    done: "The old address is back",
    doneText: "Every session has ended. Now set a new password: somebody else may know the old one.",
    newPassword: "Set a new password",
    dead: "The link does not work",
    deadText: "It works for 72 hours, and once. Perhaps the address is back already.",
    partial: "A part of the link is missing. Open it from the mail once more, whole.",
    toLogin: "Log in",
  },
};
