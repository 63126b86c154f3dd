// Codes of one bit per dimension in lists, and the search of the nearest ones.

export { entryCount, initialise, listCount, usedBytes } from "./layout";
export { insert, lengthOf, refine, sweep } from "./lists";
export { search } from "./search";
export { replaceStates, reserve, stateOf } from "./states";
