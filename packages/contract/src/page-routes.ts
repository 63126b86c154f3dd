/**
 * The pages of the web app: the API serves one document under each path, and the web app shows the page of
 * the path. Paths are relative to the base address; `:id` is a parameter. Search engines index public pages
 * only.
 */
export const pageRoutes = [
  { path: "/", isPublic: true },
  { path: "/search/:id", isPublic: true },
  { path: "/rankings", isPublic: true },
  { path: "/recent", isPublic: true },
  { path: "/library", isPublic: true },
  { path: "/status", isPublic: true },
  { path: "/about", isPublic: true },
  { path: "/faq", isPublic: true },
  { path: "/get", isPublic: true },
  { path: "/privacy", isPublic: true },
  { path: "/terms", isPublic: true },
  { path: "/sign-in", isPublic: true },
  { path: "/sign-up", isPublic: true },
  { path: "/account", isPublic: false },
  { path: "/keys", isPublic: false },
  { path: "/history", isPublic: false },
  { path: "/device", isPublic: false },
  { path: "/link", isPublic: false },
  { path: "/operator", isPublic: false },
  { path: "/reset", isPublic: false },
] as const;

/** The path of a page of the web app. */
export type PagePath = (typeof pageRoutes)[number]["path"];
