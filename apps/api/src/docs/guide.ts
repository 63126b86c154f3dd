/** The guide that precedes the reference, as Markdown. Its examples use `baseUrl`. */
export function writeGuide(baseUrl: string): string {
  return `[Back to Koma](${baseUrl}/)

# First call

A guest searches without an account. Send an image and read the first match:

\`\`\`sh
curl ${baseUrl}/api/anime/search -F image=@screenshot.jpg
\`\`\`

Or send the public address of an image instead of a file; exactly one of \`image\` and \`url\`:

\`\`\`sh
curl ${baseUrl}/api/anime/search -F url=https://site.example/screenshot.jpg
\`\`\`

\`matches\` holds at most five scenes, the best first. A scene lies between \`from\` and \`to\`; \`timestamp\` is the frame
that matches best, in seconds. Trust a match if \`isConfident\` is true: an image that is not in the library gets a
confident match in at most 1 of 1,000 cases.

# API key

Create an account, then a key under **API keys** on the page (or with \`POST /api/apikeys\`). The key is shown once.
Send it with each request:

\`\`\`sh
curl ${baseUrl}/api/anime/search -H "Authorization: Bearer koma_YOUR_KEY" -F image=@screenshot.jpg
\`\`\`

A key can be limited when it is created: \`expiresInDays\` (1 to 365), and \`scopes\`: \`search\` for searches and their
results, \`account\` for the credits and searches of the account. A key without the scope of an operation is answered with 403.

An invalid key is answered with 401; the request is never treated as a guest's. If a request has a key and a session
cookie, the key decides. Keep the key secret: programs that run in a browser or an app should call a server of their own.

# Errors

Every error outside \`/api/auth/*\` is \`application/problem+json\` (RFC 9457). Compare \`code\`, not the text; \`detail\`
describes the case, \`errors\` names the invalid fields, and \`requestId\` identifies the request in the server's log.

\`\`\`json
{ "code": "image_and_url", "status": 400, "title": "…", "detail": "…", "requestId": "…" }
\`\`\`

\`/api/auth/*\` answers in the form of better-auth: \`{ "code": "INVALID_EMAIL_OR_PASSWORD", "message": "…" }\`.

# Limits

Guests have a number of searches per day and network, accounts have free credits per day, then one purchased credit per
search. \`GET /api/anime/quota\` returns what is left; each search reports it in \`quota\` and in the \`RateLimit\` headers. A search
that does not end in 200 costs no credit.

| status | code | meaning |
|---|---|---|
| 402 | \`credits_exhausted\` | No credits are left; \`quota.resetsAt\` says when free ones return. |
| 429 | \`guest_limit_reached\` | The searches of a guest are used up for today. |
| 429 | \`hourly_limit_reached\` | Too many searches within an hour. |
| 503 | \`search_busy\`, \`not_ready\` | The server is busy or starting. |

# Retries

Wait for the seconds of \`Retry-After\` after 429 and 503, and retry other network errors with growing delays. Send an
\`Idempotency-Key\` with each search: a repetition with the same key returns the first result and costs one credit in
total.
`;
}
