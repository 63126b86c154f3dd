/** Every error of the contract, by its code: what happened, and what to do. `again` says when it works once more. */
export const error = {
  again: "Try again {{at, relative}}.",
  againAt: "It works again {{at, relative}} ({{at, moment}}).",
  reference: "If you report this, please mention {{requestId}}.",
  offline: {
    title: "Koma can't be reached right now",
    text: "That is a problem on our side or on the way there. The same picture isn't charged twice. Please try again in a minute.",
  },
  unknown: {
    title: "Something unexpected happened",
    text: "The same picture isn't charged twice. Please try again in a moment.",
  },
  invalid_request: {
    title: "Something in the request doesn't fit",
    text: "Please check what you entered and try again.",
  },
  image_required: {
    title: "A picture is missing",
    text: "Add a picture, or the address of one.",
  },
  image_and_url: {
    title: "That is a picture and an address",
    text: "Please send only one of the two.",
  },
  url_not_allowed: {
    title: "This address can't be opened",
    text: "It has to start with http:// or https:// and lead to a public website. You can also save the picture and send it yourself.",
  },
  unauthenticated: {
    title: "You are not signed in",
    text: "Please sign in and try again.",
  },
  invalid_api_key: {
    title: "This key doesn't work",
    text: "It may have been deleted or have expired. Create a new one in your Koma account.",
  },
  credits_exhausted: {
    title: "Your credits are used up",
    text: "New free credits arrive every day at midnight.",
  },
  untrusted_origin: {
    title: "This page isn't allowed to do that",
    text: "Open Koma at its own address and try again from there.",
  },
  forbidden: {
    title: "You don't have permission for that",
    text: "If you think you should, ask whoever runs this service.",
  },
  link_denied: {
    title: "The connection was declined",
    text: "Nothing was connected. If that was a mistake, just start again.",
  },
  not_found: {
    title: "There is nothing here any more",
    text: "It may have been deleted or have expired. Start a new search.",
  },
  confirmation_expired: {
    title: "It's too late to rate this search",
    text: "That is possible for 24 hours. You can search for the picture again.",
  },
  link_expired: {
    title: "This code has expired",
    text: "Codes work for 10 minutes. Ask the bot for a new one.",
  },
  image_too_large: {
    title: "The picture is too large",
    text: "It can have up to 10 MB and 50 megapixels. A smaller copy or a screenshot of it will do.",
  },
  unsupported_image_type: {
    title: "That isn't a picture Koma can read",
    text: "JPEG and PNG work. A file name ending in .jpg or .png isn't enough; the content counts.",
  },
  unsupported_media_type: {
    title: "The request was sent in the wrong form",
    text: "Please reload the page and try again.",
  },
  range_not_satisfiable: {
    title: "That part of the file doesn't exist",
    text: "Please start the clip again from the beginning.",
  },
  image_unreadable: {
    title: "The picture seems to be damaged",
    text: "It can't be opened completely. Save or download it again, or take a new screenshot.",
  },
  url_fetch_failed: {
    title: "The picture couldn't be fetched from there",
    text: "Check the address, or save the picture and send it yourself.",
  },
  guest_limit_reached: {
    title: "Today's free searches are used up",
    text: "With a free account you get more every day.",
  },
  hourly_limit_reached: {
    title: "That was a lot of searches in one hour",
    text: "Please take a short break. No credits are lost.",
  },
  too_many_requests: {
    title: "That was a bit too fast",
    text: "Please wait a moment.",
  },
  slow_down: {
    title: "That was a bit too fast",
    text: "Please wait a moment.",
  },
  internal_error: {
    title: "Something went wrong on our side",
    text: "Nothing was charged. Please try again in a moment.",
  },
  search_busy: {
    title: "Many people are searching right now",
    text: "Nothing was charged. Please try again in a moment.",
  },
  not_ready: {
    title: "Koma is still getting ready",
    text: "Nothing was charged. Please try again in a few minutes.",
  },
} as const;
