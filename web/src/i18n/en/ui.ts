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
};
