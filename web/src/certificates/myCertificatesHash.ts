/** The place of the user's certificates on the settings screen, as the fragment of the address. */
export const MY_CERTIFICATES = "certificates";
