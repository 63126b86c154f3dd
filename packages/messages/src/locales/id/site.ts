import site from "./site.json" with { type: "json" };

export const siteTexts = { site };
