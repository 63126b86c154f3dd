/** What does not work in a restored database without the secret of the original one. */
export const withoutSecret = `Without the secret of this database, a restored copy loses: sign-in sessions, open links in mails,
Discord sign-in tokens, the assignment of search histories and used quota to users, second factors
(\`koma user reset-2fa\` removes one), and everything that the bots store encrypted (linked accounts, saved results).
Passwords, API keys, credits and the library work.
`;
