/** The web page. */
export const web = {
  name: "Koma",
} as const;
