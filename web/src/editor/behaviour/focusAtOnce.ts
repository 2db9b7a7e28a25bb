import { commands, Extension } from "@tiptap/core";

/**
 * The library's own `focus` comes a frame later: a letter typed until then, on a busy machine or by a quick hand, would go
 * to the field that had the focus before.
 */
export const FocusAtOnce = Extension.create({
  name: "focusAtOnce",
  addCommands() {
    return {
      focus:
        (position = null, options = {}) =>
        (props) => {
          if (props.dispatch && position !== false) props.view.focus();
          return commands.focus(position, options)(props);
        },
    };
  },
});
