import { web as english } from "../en/web.ts";

// Not translated yet.
export const web = { web: english };
