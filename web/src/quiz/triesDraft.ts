import { createContext, useContext } from "react";

/** Whether a try-out is of the unpublished changes of its page: in the editor. Elsewhere staff try what learners see. */
export const TriesDraft = createContext(false);

export const useTriesDraft = () => useContext(TriesDraft);
