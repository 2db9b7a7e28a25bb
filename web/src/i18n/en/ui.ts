/** Words of the pieces in ui/ that every screen uses. */
export const ui = {
  close: "Close",
  breadcrumbs: "You are here",
  cancel: "Cancel",
  undo: "Undo",
  typeToConfirm: "To go on, type “{{text}}”",
  previousPage: "Back",
  nextPage: "Forward",
  pageOf: "{{page}} of {{pages}}",
  save: {
    saved: "Saved",
    saving: "Saving…",
    unsaved: "There are unsaved changes",
    offline: "You are offline: we will save later",
    conflict: "The page was changed elsewhere",
    failed: "Could not be saved",
  },
};
