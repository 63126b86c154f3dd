/** Where this process takes its configuration from. */
export const environment = process.env;
