/** The source of this process's configuration. */
export const environment = process.env;
