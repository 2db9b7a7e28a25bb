/** Texts of the components in ui/. */
export const ui = {
  close: "Close",
  breadcrumbs: "You are here",
  cancel: "Cancel",
  undo: "Undo",
  typeToConfirm: "To continue, type “{{text}}”",
  previousPage: "Back",
  nextPage: "Forward",
  pageOf: "{{page}} of {{pages}}",
  save: {
    saved: "Saved",
    saving: "Saving…",
    unsaved: "There are unsaved changes",
    offline: "You are offline; changes will be saved later",
    conflict: "The page was changed elsewhere",
    failed: "Could not save",
  },
};
