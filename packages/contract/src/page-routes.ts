/** The paths of the web page, relative to the base address. Each serves the same document; `:id` is a parameter. */
export const pageRoutes = [
  ...["/", "/rankings", "/recent", "/search/:id", "/sign-in", "/sign-up", "/reset"],
  ...["/account", "/keys", "/history", "/device", "/link", "/operator"],
];
