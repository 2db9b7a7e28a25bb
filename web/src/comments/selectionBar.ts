import { createStore } from "@tanstack/react-store";
import type { Place } from "./openComments";

/** What can be done with selected words besides noting them. */
export interface SelectionAction {
  label: string;
  onStart: (place: Place) => void;
}

interface State {
  /** Whether a bar is shown at selections, which has the action. */
  isShown: boolean;
  action: SelectionAction | null;
}

/** The one bar at selected words of a page. It and what it offers are loaded apart. */
export const selectionBar = createStore<State>({ isShown: false, action: null });

/** Offers an action in the bar. Returns a function that takes it back. */
export function offerInBar(action: SelectionAction): () => void {
  selectionBar.setState((state) => ({ ...state, action }));
  return () =>
    selectionBar.setState((state) => (state.action === action ? { ...state, action: null } : state));
}

/** Tells that the bar is there. Returns a function that takes it back. */
export function showBar(): () => void {
  selectionBar.setState((state) => ({ ...state, isShown: true }));
  return () => selectionBar.setState((state) => ({ ...state, isShown: false }));
}
