/** Texts of all forms: problems of typed values, and the question about unsaved text. */
export const forms = {
  titleRequired: "Enter a title",
  titleTooLong: "A title has at most 255 characters",
  descriptionTooLong: "A description has at most 10,000 characters",
  itemDescriptionTooLong: "A description has at most 255 characters",
  nameTooLong: "A name has at most 255 characters",
  emailRequired: "Enter an email",
  emailPattern: "Invalid email address",
  restored: "The text that was not saved in time is back.",
  course: {
    label: "Course title",
    placeholder: "For example, “Programming basics”",
    submit: "Create",
  },
  unsent: {
    text_one: "There is unsaved text: “{{page}}”.",
    text_few: "There is unsaved text on {{count}} pages. The latest is “{{page}}”.",
    text_many: "There is unsaved text on {{count}} pages. The latest is “{{page}}”.",
    text_other: "There is unsaved text on {{count}} pages. The latest is “{{page}}”.",
    open: "Open",
  },
  unsaved: {
    title: "What you typed is not saved",
    text: "If you continue, it will be lost.",
    discard: "Do not save",
    stay: "Go back",
  },
  uploading: {
    title: "Files are still being uploaded",
    text: "If you leave now, the upload will be cancelled.",
    discard: "Leave",
    stay: "Stay",
  },
  save: {
    saved: "Saved",
    saving: "Saving…",
    unsaved: "There are unsaved changes",
    offline: "You are offline; changes will be saved later",
    conflict: "The page was changed elsewhere",
    failed: "Could not save",
  },
};
