/** The maximum number of matches of one search. In a module of its own: the schemas take 80 ms to import. */
export const matchLimit = 5;
