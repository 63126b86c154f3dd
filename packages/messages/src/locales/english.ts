// Generated from en/*.json by scripts/generate-english.mjs. Do not edit.

/** The English texts by area. Their keys and placeholders type every call of `t`. */
export interface English {
  button: {
    "previous": "Previous",
    "next": "Next",
    "previousPicture": "Previous picture",
    "nextPicture": "Next picture",
    "show": "Show it to me",
    "right": "That's it",
    "wrong": "Not it",
    "correct": "Say what it is",
    "more": "Show the closest ones",
    "delete": "Delete",
    "link": "Connect account",
    "approve": "Open the page",
    "pasteKey": "Use an existing key",
    "back": "Back",
    "clip": "Clip",
    "still": "Picture",
    "addToGroup": "Add to a group",
    "writeToMe": "Write to me",
    "confirmForget": "Delete everything",
    "lookAlikes_one": "Show {{count, number}} look-alike",
    "lookAlikes_other": "Show {{count, number}} look-alikes",
    "retry": "Try again",
    "share": "Share in this channel",
    "revokeKey": "Revoke the key",
    "sameShot": "Every episode with this shot",
    "allPictures": "All pictures"
  };
  command: {
    "findMessage": "Find anime scene",
    "find": {
      "name": "find",
      "description": "Find the anime, episode and second of a screenshot",
      "image": {
        "name": "image",
        "description": "The picture, GIF or video"
      },
      "url": {
        "name": "url",
        "description": "Or the web address of an image, or the link of a message in this channel"
      },
      "preview": {
        "name": "preview",
        "description": "What to show of the scene",
        "clip": "Clip",
        "still": "Picture",
        "none": "Text only"
      },
      "mute": {
        "name": "mute",
        "description": "The clip without sound"
      },
      "crop": {
        "name": "crop",
        "description": "Choose no to search the picture exactly as it is"
      },
      "frame": {
        "name": "frame",
        "description": "Of a GIF or video: how many seconds in"
      },
      "private": {
        "name": "private",
        "description": "Only you see the answer"
      }
    },
    "rankings": {
      "name": "rankings",
      "description": "The most searched anime",
      "period": {
        "name": "period",
        "description": "Of which time"
      }
    },
    "recent": {
      "name": "recent",
      "description": "What others found lately"
    },
    "credits": {
      "name": "credits",
      "description": "How many searches you have left"
    },
    "link": {
      "name": "link",
      "description": "Connect your Koma account"
    },
    "unlink": {
      "name": "unlink",
      "description": "Disconnect your Koma account"
    },
    "settings": {
      "name": "settings",
      "description": "Language, previews and what I may do here",
      "mine": {
        "name": "mine",
        "description": "Your own settings"
      },
      "server": {
        "name": "server",
        "description": "The settings of this server (for those who manage it)"
      },
      "language": {
        "name": "language",
        "description": "The language I answer in"
      },
      "adult": {
        "name": "adult",
        "description": "Show results for adults in age-restricted channels"
      },
      "preview": {
        "name": "preview",
        "description": "What to show of a scene"
      },
      "channel": {
        "name": "channel",
        "description": "Allow or disallow me in a channel"
      },
      "replies": {
        "name": "replies",
        "description": "Who sees my answers"
      },
      "listed": {
        "name": "listed",
        "description": "Whether confirmed searches may appear in the public list"
      }
    },
    "lang": {
      "name": "lang",
      "description": "Choose your language"
    },
    "start": {
      "name": "start",
      "description": "Say hello"
    },
    "help": {
      "name": "help",
      "description": "How to use me"
    },
    "privacy": {
      "name": "privacy",
      "description": "What I keep, and for how long"
    },
    "forget": {
      "name": "forget",
      "description": "Delete everything I know about you"
    },
    "anime": {
      "name": "anime",
      "description": "About an anime: year, studios, where to watch it",
      "title": {
        "name": "title",
        "description": "A part of its title"
      }
    },
    "history": {
      "name": "history",
      "description": "Your latest searches"
    },
    "top": {
      "name": "top",
      "description": "What this chat found most"
    }
  };
  credits: {
    "title": "Your searches",
    "remaining_one": "You can make {{count, number}} more search right now.",
    "remaining_other": "You can make {{count, number}} more searches right now.",
    "none": "You have no searches left right now.",
    "guest": "As a guest: {{remaining, number}} of {{limit, number}} left today",
    "free": "Free today: {{remaining, number}} of {{limit, number}} left",
    "purchased": "Purchased: {{count, number}}",
    "hourly": "This hour: {{remaining, number}} of {{limit, number}} left",
    "resets": "New free searches {{at, relative}} ({{at, moment}})",
    "linkForMore": "With a free account you get more: {{command.link}}"
  };
  error: {
    "again": "Try again {{at, relative}}.",
    "againAt": "It works again {{at, relative}} ({{at, moment}}).",
    "reference": "If you report this, please mention {{requestId}}.",
    "offline": {
      "title": "Koma can't be reached right now",
      "text": "That is a problem on our side or on the way there. The same picture isn't charged twice. Please try again in a minute."
    },
    "unknown": {
      "title": "Something unexpected happened",
      "text": "The same picture isn't charged twice. Please try again in a moment."
    },
    "invalid_request": {
      "title": "Something in the request doesn't fit",
      "text": "Please check what you entered and try again."
    },
    "image_required": {
      "title": "A picture is missing",
      "text": "Add a picture, or the address of one."
    },
    "image_and_url": {
      "title": "That is a picture and an address",
      "text": "Please send only one of the two."
    },
    "url_not_allowed": {
      "title": "This address can't be opened",
      "text": "It has to start with http:// or https:// and lead to a public website. You can also save the picture and send it yourself."
    },
    "unauthenticated": {
      "title": "You are not signed in",
      "text": "Please sign in and try again."
    },
    "invalid_api_key": {
      "title": "This key doesn't work",
      "text": "It may have been deleted or have expired. Create a new one in your Koma account."
    },
    "credits_exhausted": {
      "title": "Your credits are used up",
      "text": "New free credits arrive every day at midnight."
    },
    "untrusted_origin": {
      "title": "This page isn't allowed to do that",
      "text": "Open Koma at its own address and try again from there."
    },
    "two_factor_required": {
      "title": "A second factor is needed",
      "text": "This site requires a second factor of its operators. Set it up on your account page."
    },
    "forbidden": {
      "title": "You don't have permission for that",
      "text": "If you think you should, ask whoever runs this service."
    },
    "link_denied": {
      "title": "The connection was declined",
      "text": "Nothing was connected. If that was a mistake, just start again."
    },
    "not_found": {
      "title": "There is nothing here any more",
      "text": "It may have been deleted or have expired. Start a new search."
    },
    "confirmation_expired": {
      "title": "It's too late to rate this search",
      "text": "That is possible for 24 hours. You can search for the picture again."
    },
    "link_expired": {
      "title": "This code has expired",
      "text": "Codes work for 10 minutes. Ask the bot for a new one."
    },
    "image_too_large": {
      "title": "The picture is too large",
      "text": "It can have up to 10 MB and 50 megapixels. A smaller copy or a screenshot of it will do."
    },
    "unsupported_image_type": {
      "title": "That isn't a picture Koma can read",
      "text": "JPEG, PNG, WebP, GIF, AVIF and BMP work, and short MP4 and WebM videos. A file name ending in .jpg or .png isn't enough; the content counts. Take a screenshot of an SVG or a PDF, or export it as PNG."
    },
    "unsupported_media_type": {
      "title": "The request was sent in the wrong form",
      "text": "Please reload the page and try again."
    },
    "range_not_satisfiable": {
      "title": "That part of the file doesn't exist",
      "text": "Please start the clip again from the beginning."
    },
    "image_unreadable": {
      "title": "The picture seems to be damaged",
      "text": "It can't be opened completely. Save or download it again, or take a new screenshot."
    },
    "url_fetch_failed": {
      "title": "The picture couldn't be fetched from there",
      "text": "Check the address, or save the picture and send it yourself."
    },
    "guest_limit_reached": {
      "title": "Today's free searches are used up",
      "text": "New free searches arrive every day at midnight."
    },
    "hourly_limit_reached": {
      "title": "That was a lot of searches in one hour",
      "text": "Please take a short break. No credits are lost."
    },
    "too_many_requests": {
      "title": "That was a bit too fast",
      "text": "Please wait a moment."
    },
    "slow_down": {
      "title": "That was a bit too fast",
      "text": "Please wait a moment."
    },
    "idempotency_key_reused": {
      "title": "This request was already made with other values",
      "text": "Please send it again."
    },
    "upload_too_slow": {
      "title": "The upload was too slow",
      "text": "Nothing was charged. Please try again on a faster connection."
    },
    "internal_error": {
      "title": "Something went wrong on our side",
      "text": "Nothing was charged. Please try again in a moment."
    },
    "search_busy": {
      "title": "Many people are searching right now",
      "text": "Nothing was charged. Please try again in a moment."
    },
    "not_ready": {
      "title": "Koma is still getting ready",
      "text": "Nothing was charged. Please try again in a few minutes."
    }
  };
  help: {
    "title": "Which anime is this?",
    "intro": "Send me a screenshot and I tell you the anime, the episode and the second.",
    "hello": "Hello {{name}}. Send me a screenshot from an anime, and I'll find the scene.",
    "ways": {
      "title": "How to ask",
      "direct": "In a private chat with me: just send a picture, a GIF or a video.",
      "command": "Anywhere: {{command.find}} with a picture or an address.",
      "menu": "On someone's message: open its menu, then Apps, then “{{command.findMessage}}”.",
      "mention": "In a channel: mention me together with a picture, or in a reply to one.",
      "reaction": "On someone's picture in a channel: react to it with 🔍.",
      "reply": "In a group: reply to a picture with {{command.find}} or mention me.",
      "inline": "In any chat: type my name to share what you found lately."
    },
    "words": {
      "title": "Words you can add",
      "mute": "mute: the clip without sound",
      "nocrop": "nocrop: the picture exactly as it is",
      "text": "text: no preview"
    },
    "answer": {
      "title": "The answer",
      "similarity": "The percentage says how likely it is right. If I'm not sure, I say so.",
      "buttons": "With “{{right}}” or “{{wrong}}” you tell me how I did."
    },
    "tips": {
      "title": "For good results",
      "text": "A straight screenshot without borders, text or filters works best. Crops, small pictures and mirror images often work too."
    },
    "limits": {
      "title": "How many searches",
      "text": "Some searches are free every day. {{command.credits}} shows what is left, {{command.link}} connects your account."
    },
    "more": "More: {{command.settings}} · {{command.privacy}} · {{command.forget}}",
    "welcome": "Thanks for adding me. Send me a screenshot, and I tell you the anime, the episode and the second.",
    "managers": "For those who manage this chat: {{command.settings}} sets the language, results for adults and more.",
    "commands": "{{command.anime}} tells you about an anime, {{command.history}} lists your latest searches, {{command.top}} shows what a chat found."
  };
  link: {
    "title": "Connect your Koma account",
    "text": "Open the page, check that it shows this code, and approve. You don't have to type any key or password here.",
    "code": "Your code: {{code}}",
    "expires": "The code works until {{at, moment}} ({{at, relative}}).",
    "done": {
      "title": "Connected",
      "text": "From now on your searches use your own Koma account. You can undo this with {{command.unlink}}."
    },
    "denied": {
      "title": "Not connected",
      "text": "The request was declined on the page. If that was a mistake, use {{command.link}} again."
    },
    "expired": {
      "title": "The code has expired",
      "text": "It works for 10 minutes. Use {{command.link}} for a new one."
    },
    "calledOff": {
      "title": "Not connected",
      "text": "This code was approved after you had disconnected, deleted your data, or connected another way. I've ended its key at once. Use {{command.link}} to connect."
    },
    "already": {
      "title": "You are already connected",
      "text": "Your searches use your own account. To change it, disconnect with {{command.unlink}} first."
    },
    "since": "Connected since {{at, date}}",
    "notLinked": {
      "title": "You aren't connected",
      "text": "With a free account you get more searches every day. Connect it with {{command.link}}.",
      "textOther": "You can connect your Koma account with {{command.link}}."
    },
    "unlinked": {
      "title": "Disconnected",
      "text": "I've deleted your key here and ended it at Koma. You search as a guest from now on.",
      "textKeyRemains": "I've deleted your key here, but I couldn't reach Koma to end it. You can delete it in your account.",
      "textPasted": "I've removed your API key here. It still works elsewhere, because you created it yourself. If you no longer need it, revoke it at Koma."
    },
    "keyRefused": {
      "title": "Your account is no longer connected",
      "text": "Koma doesn't accept your key any more; it was probably deleted or has expired. I've removed it here. Connect again with {{command.link}}, or go on as a guest."
    },
    "paste": {
      "title": "Use an existing API key",
      "label": "Your Koma API key",
      "placeholder": "koma_…",
      "invalid": "That isn't a valid Koma API key. Please copy it again from your account.",
      "scopes": "This key can't both search and read your credits. Please create one that can in your account."
    },
    "noAddress": "The page has no public address yet, so it can't be opened from here. Please ask whoever runs this bot.",
    "revoked": {
      "title": "Key revoked",
      "text": "The API key no longer works anywhere."
    }
  };
  privacy: {
    "title": "Your privacy",
    "picture": {
      "title": "Your pictures",
      "text": "A picture is compared and then thrown away. It is never stored, and nobody gets to see it."
    },
    "upstreams": {
      "title": "Other services",
      "text": "A picture that isn't in the library also goes to {{services, list}}: made smaller, without its metadata, and without a word about you. The result names the service that found the scene."
    },
    "missing": {
      "title": "Pictures that are not found",
      "text": "For a picture that isn't in the library, Koma keeps 128 numbers for {{days, number}} days, so that its operators see what is missing. They contain neither the picture nor anything about you."
    },
    "searches": {
      "title": "Your searches",
      "text": "What was found is kept for 24 hours, so that you can page through it and rate it. With an account it stays in your history, where you can delete it. Searches in direct messages are never listed publicly. Confirmed ones from elsewhere may be, without your name and your picture."
    },
    "bot": {
      "title": "What the bot keeps",
      "text": "Your settings and your answers of the last 24 hours, under a code from which your chat account can't be read. If you connect an account, its key too, encrypted. Koma counts free searches under such a code as well."
    },
    "messages": {
      "title": "Your messages",
      "text": "I answer commands, mentions, replies to me and direct messages. In other messages that I can see, I only check whether somebody posted an API key of Koma by mistake. In channels, groups and topics where the managers chose it, I search every picture."
    },
    "reactions": "When a member of a server reacts to a picture with 🔍, I search that picture and answer below it. Other reactions don't matter to me.",
    "delete": {
      "title": "Delete it",
      "text": "{{command.forget}} deletes everything I know about you, at once. {{command.unlink}} only removes the key."
    },
    "forget": {
      "title": "Delete everything about you?",
      "text": "Your settings, your answers and the connection to your account go at once. The key ends at Koma too. Your Koma account itself stays.",
      "done": "Done. I've deleted everything I knew about you.",
      "doneKeyRemains": "Done. I've deleted everything I knew about you. I couldn't reach Koma to end your key; you can delete it in your account."
    },
    "engines": {
      "title": "Other search engines",
      "text": "When I find nothing, buttons open other search engines. If your picture has a public address (a link, or a file on Discord), the button contains it, and that site gets the picture when someone presses it. Otherwise the button opens its start page. Koma does not host your pictures."
    },
    "top": {
      "title": "The list of a chat",
      "text": "Where the managers of a chat turned {{command.top}} on, I note for 90 days which anime a member confirmed there, under the same code. The list shows no names. Answers that only you see are not counted."
    }
  };
  profile: {
    "name": "Koma · anime scene finder",
    "short": "Send me an anime screenshot. I'll find the series, the episode and the second.",
    "long": "Which anime is this? Send me a screenshot, a GIF or a short video, and I'll tell you the series, the episode and the second, with a preview of the scene. If I'm not sure, I say so. Works in groups too. Your pictures are never stored."
  };
  reply: {
    "queueFull": {
      "title": "One thing at a time",
      "text": "You already have several pictures waiting. Please wait for those answers, then send this one again."
    },
    "uncertain": {
      "shown": "One of the closest scenes. It may just look similar."
    },
    "tip": "A straight screenshot without borders, text or filters works best.",
    "sameAsBefore": "You asked about this picture before, so this one is free.",
    "confirmTaken": "You have already marked this one.",
    "confirmLate": "It's too late to rate this answer. That is possible for 24 hours.",
    "onlyAsker": "Only the person who asked can use these buttons. Send me a picture of your own and you get your own answer.",
    "gone": "This answer is too old to use. Send me the picture again.",
    "expired": {
      "title": "Your request has expired",
      "text": "I couldn't answer it in time. Please send it again."
    },
    "deleted": "Deleted.",
    "picturesTogether": "Picture {{number, number}} of {{total, number}}",
    "noPicture": {
      "title": "I need a picture",
      "text": "Send me a screenshot, use {{command.find}} with one, or mention me in a reply to one.",
      "inMessage": "There is no picture in this message.",
      "inReply": "There is no picture in the message you replied to.",
      "inCommand": "Add a picture or an address to the command.",
      "notShown": "Discord doesn't show me the message you replied to.",
      "hidden": "Telegram doesn't show this to bots. Send a screenshot of it.",
      "inChannel": "There is no image in the last messages here either. Add an image or an address to the command.",
      "inLink": "I can't read the message of this link, or it has no image. I only read messages in the channel where you ask."
    },
    "unsupported": {
      "title": "I can't read this file",
      "text": "Pictures work (JPEG, PNG, WebP, GIF, BMP, AVIF, TIFF), and so do videos. Take a screenshot of an SVG or a PDF, or export it as PNG."
    },
    "tooLarge": {
      "title": "This file is too large for me",
      "text": "I can take up to {{limit, number}} MB. A screenshot will do."
    },
    "downloadFailed": {
      "title": "I couldn't get the picture",
      "text": "It may have been deleted. Please send it again."
    },
    "unreadableVideo": {
      "title": "I can't open this video",
      "text": "Please send a screenshot of the scene."
    },
    "guestLimit": {
      "title": "Your free searches for today are used up",
      "text": "Connect a free Koma account with {{command.link}} to get more every day."
    },
    "creditsGone": {
      "title": "Your credits are used up",
      "text": "New free credits arrive every day at midnight."
    },
    "blocked": {
      "title": "I'm not allowed to search for you",
      "text": "Whoever runs this service has ruled that out. If it's a mistake, please ask them."
    },
    "adultElsewhere": {
      "title": "I can't show this answer here",
      "text": "This match is for adults. I only show those in age-restricted channels and direct messages.",
      "private": "Only you can see this, because this match is for adults.",
      "switchedOff": "Results for adults are switched off here."
    },
    "notHere": {
      "title": "I don't answer in this channel",
      "text": "You can ask me here instead: {{channels}}"
    },
    "privateClosed": "I can't write to you directly. Please allow direct messages from this server, or write to me first.",
    "sentPrivately": "I've sent you a direct message.",
    "forYouAlone": "That is for you alone. Open our private chat with the button, and I'll tell you there.",
    "smallPreviewOnly": "This file is over {{limit, number}} MB, so I only looked at its small preview. A screenshot works better.",
    "leakedKey": {
      "title": "There was an API key in your message",
      "deleted": "I deleted the message right away, but someone may have seen it.",
      "notDeleted": "I'm not allowed to delete the message. Please delete it now.",
      "revoked": "I revoked the key, so it no longer works. Programs and chats that used it must connect again; you can create a new key in your Koma account.",
      "pending": "I can't reach Koma right now, so the key still works. I'll revoke it as soon as I can; you can also delete it in your Koma account now.",
      "notPublic": "Please delete that key in your Koma account and create a new one.",
      "link": "To connect your account, use {{command.link}}. You never have to type a key for that."
    },
    "rankings": {
      "title": "Most searched anime",
      "entry": "{{rank, number}}. {{anime}}",
      "searches_one": "{{count, number}} search",
      "searches_other": "{{count, number}} searches",
      "empty": "Nobody has found anything in this period yet.",
      "period": {
        "daily": "Today",
        "weekly": "Last 7 days",
        "monthly": "Last 30 days",
        "yearly": "Last 365 days",
        "all": "All time"
      }
    },
    "recent": {
      "title": "Recently found",
      "when": "{{at, relative}}",
      "empty": "Nobody has confirmed a search yet."
    },
    "inline": {
      "empty": "You haven't found anything lately",
      "start": "Find a scene",
      "noMatch": "None of your finds and no title match",
      "library": "In this library"
    },
    "oops": "That didn't work. Please try again in a moment.",
    "wrong": {
      "next": "This is the next candidate.",
      "last": "No candidate is left. Another search engine may know the picture.",
      "lastLikely": "No likely candidate is left. You can still see the look-alikes, or try another search engine."
    },
    "correct": {
      "title": "What does your image show?",
      "anime": "Title",
      "episode": "Episode",
      "several": "Which of these anime is it?",
      "other": "Another one: {{title}}",
      "how": "Reply to this message with the title and, behind a comma, the episode: Cowboy Bebop, 5",
      "sent": "Thank you. The operators of this site will read it."
    },
    "position": "{{number, number}} of {{total, number}}",
    "downloadTimedOut": {
      "title": "The picture took too long to arrive",
      "text": "I stopped waiting for it. Please try again in a moment."
    },
    "hint": "Send me a screenshot, a GIF or a video, and I'll find the scene. More: {{command.help}}",
    "videosOff": {
      "title": "I can't read videos here",
      "text": "Videos are switched off. Please send a screenshot of the scene."
    },
    "lastPicture": "I took the last image in this channel.",
    "sharedBy": "Shared by {{name}}",
    "alreadyShared": "You have already shared this answer.",
    "askedPicture": "The picture that was searched",
    "sameShot": {
      "title": "The same shot in {{anime}}"
    },
    "chatQuota": {
      "title": "The searches of this chat are used up for today",
      "text": "The people who manage it set a limit per day, which counts for everyone. Nothing was charged. You can always search in a direct message to me."
    },
    "otherRoles": {
      "title": "You need a certain role to search here",
      "text": "The people who manage this server chose which roles can search. It works as soon as you have one of them. You can always search in a direct message to me."
    },
    "waiting": "Telegram is making me wait. Your answer follows as soon as I may send it.",
    "heic": {
      "title": "I can't read HEIC photos",
      "text": "Send it as a photo instead of a file, or as JPEG or PNG. A screenshot of it works, too."
    },
    "smallPreviewRead": "I can't read this file, so I only looked at its small preview. A screenshot works better.",
    "album": {
      "title_one": "There is {{count, number}} picture here",
      "title_other": "There are {{count, number}} pictures here",
      "open": "Not searched yet",
      "first": "I search the first {{count, number}} pictures of a message."
    },
    "anime": {
      "usage": "Write a part of its title behind the command: {{command.anime}} Cowboy Bebop",
      "several": "Which anime do you mean?",
      "none": {
        "title": "I don't know this anime",
        "text": "No title in this library contains “{{title}}”."
      },
      "near": "These are similar:",
      "moments": "Most looked-up moments of the last 30 days",
      "episodes_one": "{{count, number}} episode in this library",
      "episodes_other": "{{count, number}} episodes in this library"
    },
    "history": {
      "title": "Your latest searches",
      "empty": "You haven't searched for anything lately.",
      "day": "These are your searches here in the last 24 hours. With an account connected by {{command.link}}, you see its history."
    },
    "top": {
      "title": "Most found in this chat",
      "finds_one": "{{count, number}} find",
      "finds_other": "{{count, number}} finds",
      "empty": "No scene was confirmed here recently. It counts when someone presses “{{right}}”.",
      "off": "This list is off. The people who manage this chat can turn it on with {{command.settings}}.",
      "period": "Of the last 90 days, without names."
    }
  };
  scene: {
    "likeness": {
      "sure": "Almost certain · {{share, percent}}",
      "likely": "Quite likely · {{share, percent}}",
      "lookAlike": "Perhaps just a look-alike · {{share, percent}}",
      "lookAlikeOnly": "Perhaps just a look-alike"
    },
    "episode": "Episode {{number}}",
    "episodes": "Episodes {{number}}",
    "season": "Season {{season}}",
    "seasonEpisode": "Season {{season}}, episode {{number}}",
    "seasonEpisodes": "Season {{season}}, episodes {{number}}",
    "pair": "{{first}}, {{second}}",
    "episodeTitle": "{{episode}} “{{title}}”",
    "episodeUnknown": "Episode not known",
    "alsoIn": "{{episode}}, also {{others, list}}",
    "episodeRange": "{{from}} to {{to}}",
    "at": "At {{at, time}} of {{duration, time}}",
    "atOnly": "At {{at, time}}",
    "atOnlyInRange": "At {{at, time}} ({{from, time}}–{{to, time}})",
    "range": "{{from, time}}–{{to, time}}",
    "label": {
      "opening": "Opening",
      "ending": "Ending",
      "preview": "Next-episode preview",
      "pv": "Promotional video"
    },
    "recurring_one": "The same shot is in {{count, number}} episode.",
    "recurring_other": "The same shot is in {{count, number}} episodes. This is the earliest.",
    "mirrored": "Your picture is a mirror image of the scene.",
    "source": "From {{source}}",
    "adult": "18+",
    "previewOf": "Scene from {{anime}} at {{at, time}}",
    "previewOfEpisode": "Scene from {{anime}}, {{episode}}, at {{at, time}}",
    "previewHidden": "Scene behind a spoiler mark",
    "noPreview": "There is no preview of this scene.",
    "noVideo": "This site does not have the video: there is no clip, and at most a small image.",
    "kind": {
      "TV": "TV series",
      "TV_SHORT": "TV short",
      "MOVIE": "Film",
      "SPECIAL": "Special",
      "OVA": "OVA",
      "ONA": "Web series",
      "MUSIC": "Music video"
    },
    "atInRange": "At {{at, time}} of {{duration, time}} ({{from, time}}–{{to, time}})",
    "outcome": {
      "uncertain": {
        "title": "Possibly one of these scenes",
        "text": "None of these scenes is a sure match. Compare them with your image."
      },
      "notInLibrary": {
        "title": "This image is not in the library",
        "text": "The library of this site has no scene with this image."
      }
    }
  };
  settings: {
    "title": "Your settings",
    "placeTitle": "Settings of {{chat}}",
    "saved": "Saved.",
    "onlyManagers": "Only people who manage this chat can change that.",
    "notInPrivate": "That only exists in chats with several people.",
    "automatic": "Automatic",
    "on": "On",
    "off": "Off",
    "language": {
      "label": "Language",
      "automatic": "Automatic (the language of your app)",
      "changed": "From now on I answer in English."
    },
    "adult": {
      "label": "Results for adults",
      "on": "Shown in age-restricted channels",
      "off": "Never shown"
    },
    "preview": {
      "label": "Preview",
      "clip": "Short clip",
      "still": "Picture",
      "none": "Text only"
    },
    "sound": {
      "label": "Sound of clips",
      "on": "With sound",
      "off": "Without sound"
    },
    "replies": {
      "label": "Who sees my answers",
      "public": "Everyone",
      "private": "Only who asked"
    },
    "channels": {
      "label": "Where I answer"
    },
    "imageChannels": {
      "label": "Where I search every image",
      "hidden": "Discord does not show me other people's messages. To search every image, switch on \"Message Content Intent\" for this bot.",
      "hiddenInGroup": "Telegram does not show me other people's messages in this group. To search every image, make me an administrator of the group. Or switch off \"Group Privacy\" for this bot at @BotFather, remove me from the group and add me again.",
      "all": "In the whole group",
      "here": "Only in this topic"
    },
    "listed": {
      "label": "Public list",
      "on": "May appear",
      "off": "Never appear"
    },
    "quota": {
      "label": "Searches per day",
      "none": "No limit",
      "perDay": "Up to {{limit, number}} per day"
    },
    "roles": {
      "label": "Roles that can search (none chosen: everyone)"
    },
    "top": {
      "label": "{{command.top}}: what members found"
    }
  };
  site: {
    "contact": "Contact the operator of this site:",
    "status": {
      "title": "Status",
      "api": "API",
      "index": "Searches",
      "works": "Available",
      "fails": "Not available",
      "checking": "Checking…",
      "anime": "Anime",
      "episodes": "Episodes",
      "frames": "Frames",
      "outdated": "Episodes with data of an earlier version",
      "hours": "Hours of video",
      "queue": "Searches in progress",
      "waiting": "Searches in the queue",
      "version": "Version"
    },
    "about": {
      "title": "About Koma",
      "what": "Koma finds the anime, the episode and the second of a screenshot. It compares your image with the frames of its library and then checks the best candidates in detail.",
      "library": "Koma knows only the videos that the operator of this site has indexed. If a scene is not among them, Koma states that.",
      "free": "Koma is free software under the MIT licence. Programs, bots and browser extensions can use its API."
    },
    "faq": {
      "title": "Questions",
      "nothing": {
        "title": "Why was nothing found?",
        "text": "The scene may not be in the library, or the image is too small, blurred or mostly covered. Try another frame of the same scene, as large as possible."
      },
      "formats": {
        "title": "Which files can I search?",
        "text": "JPEG, PNG, WebP, GIF, AVIF and BMP images of at most {{megabytes, number}} MiB. Sites with a current ffmpeg also accept MP4 and WebM videos of at most 60 seconds."
      },
      "limits": {
        "title": "How many searches do I have?",
        "text": "Without an account {{guest, number}} per day; with an account {{free, number}} free per day and at most {{hourly, number}} per hour. A search that fails is not charged."
      },
      "sure": {
        "title": "How certain is a result?",
        "text": "Of the results with 90%, about nine in ten are right. Koma marks results that perhaps only look similar, and you can confirm or reject each of them."
      },
      "public": {
        "title": "Who can see my searches?",
        "text": "Only you, until you confirm a scene of a public search. The scene is then among the recent ones, without your name and your image. A switch below the search makes it private."
      }
    },
    "privacy": {
      "title": "Privacy",
      "images": {
        "title": "Images and videos",
        "text": "The server compares an image in memory and discards it; it fetches the image of an address from its site. A video is a temporary file until its search ends. Neither is stored or shown to others. Your browser stores the last images, videos and addresses of a tab, to show them beside the results. A sign-out deletes them; those of more than a day are deleted when this site is opened again."
      },
      "upstreams": {
        "title": "Other services",
        "text": "An image that is not in the library is also sent to {{services, list}}: reduced to 640 pixels, without metadata, and without your address or account. What these services store is in their own privacy statements. The result names the service that found the scene."
      },
      "searches": {
        "title": "Searches",
        "text": "The server stores the scenes that were found, the time, and a code from which your address or account cannot be read. Searches without an account are deleted after 24 hours, those of an account after {{days, number}} days; you can delete them in the history before. Scenes that you confirmed in a public search stay, after that time without the code. What you write after “None of these” is deleted after {{days, number}} days. Of all searches the server keeps only the numbers per day, by outcome and by kind of access, without persons."
      },
      "missing": {
        "title": "Images without a match",
        "text": "Of an image that is not in the library, the server stores its descriptor: 128 numbers that show whether another image resembles it. The operators see only how many searches resemble each other, so that they know what is missing. The descriptor does not refer to you or your account. It is deleted after {{days, number}} days."
      },
      "limits": {
        "title": "Limits",
        "text": "To count free searches and to limit requests, the server stores codes of IP addresses for up to three days, not the addresses. Its log has no IP addresses. A proxy of the operator can have a log of its own."
      },
      "account": {
        "title": "Your account",
        "text": "An account has a name, a mail address and a hash of the password, or the identity at Discord. Sessions have the names of browser and system, but no IP address. A log of sign-ins has hashes of the account and the network, no addresses, for 90 days. If you delete the account, its searches, keys and sessions are deleted too; confirmed public scenes stay without a reference to you. Amounts of credits with the numbers of their payments, and the log of operators' actions, stay too. Purchases are processed by Stripe."
      },
      "cookies": {
        "title": "Cookies and this browser",
        "text": "Cookies serve the sign-in only. This browser stores the language, the appearance, the choice of private searches and the proofs of your last searches. There is no advertising, no analytics and no content of other sites."
      }
    },
    "terms": {
      "title": "Terms of use",
      "service": {
        "title": "The service",
        "text": "The operator offers this site as it is. Results can be wrong, and the site can change or be unavailable."
      },
      "use": {
        "title": "Your use",
        "text": "Search only images that you may use. Do not bypass the limits, overload the service or break into it. Programs use the API with a key of their own."
      },
      "rights": {
        "title": "Rights",
        "text": "Stills, clips and covers show where a scene is. The rights to the anime belong to their owners."
      },
      "account": {
        "title": "Accounts",
        "text": "Do not share your password or your API keys. The operator can block accounts and keys that break these terms."
      }
    },
    "charts": {
      "outcomes": "Searches by outcome",
      "callers": "Searches by caller",
      "episodes": "Indexed episodes",
      "all": "All",
      "found": "Found",
      "uncertain": "Uncertain",
      "notInLibrary": "Not in the library",
      "failed": "Failed",
      "failedHint": "A failed search has no result, for example because the image was unreadable or the server was overloaded. Refused requests do not count.",
      "guest": "Guests",
      "session": "Signed-in users",
      "key": "API keys",
      "bot": "Bots",
      "noSearches": "There were no searches in the last 30 days.",
      "episodesHint": "An episode counts on the day on which it was last indexed.",
      "noEpisodes": "No episode was indexed in the last 30 days.",
      "growth": "Growth of the library",
      "confidence": "Confident answers that users rated",
      "right": "Right",
      "rated": "Rated",
      "week": "Week from (UTC)",
      "noRated": "In the last 12 weeks no user rated a confident answer.",
      "rightHint": "An answer is right when the user confirmed its first match."
    },
    "operator": {
      "title": "Operator",
      "forbidden": "This page is for operators: koma user admin ADDRESS makes you one.",
      "overview": "Overview",
      "library": "Library",
      "users": "Users",
      "parts": "Parts of this page",
      "indexOpen": "Searches work",
      "indexClosed": "Searches do not work yet",
      "anime": "Anime",
      "episodes": "Episodes ready",
      "framesIndexed": "Frames found by searches",
      "framesStored": "Frames in the database",
      "waiting": "Episodes waiting",
      "indexing": "Episodes at work",
      "failed": "Episodes failed",
      "underWay": "Searches under way",
      "lastHour": "Searches, last hour",
      "lastDay": "Searches, last 24 hours",
      "median": "Median time of a search",
      "ms": "{{ms, number}} ms",
      "people": "Users",
      "bots": "Bots",
      "newLastDay": "New in 24 hours",
      "memory": "Memory of the process",
      "megabytes": "{{count, number}} MB",
      "started": "Started",
      "version": "Version",
      "state": "State",
      "allStates": "All states",
      "states": {
        "pending": "waiting",
        "indexing": "at work",
        "ready": "ready",
        "failed": "failed"
      },
      "noEpisodes": "There are no such episodes.",
      "find": "Name or mail address",
      "findGo": "Find",
      "since": "Since",
      "credits": "Credits",
      "isBot": "bot",
      "isAdmin": "operator",
      "isDisabled": "disabled",
      "isUnverified": "address not confirmed",
      "noUsers": "There are no such users.",
      "grant": "Grant",
      "grantLabel": "Grant {{name}} credits",
      "grantTitle": "Credits for {{name}}",
      "amount": "How many",
      "reason": "Reason (for the records)",
      "granted": "{{name}} now has {{count, number}} credits beside the free ones.",
      "allEpisodes": "All episodes",
      "indexTitle": "Indexing",
      "indexOff": "Indexing from this page is off. To switch it on, set KOMA_LIBRARY_ROOTS to the folders with videos and KOMA_LIBRARY_TOKEN to a token, and start Koma again.",
      "noFfmpeg": "Koma has no ffmpeg. It needs it to index videos, to show stills and clips of them, and to search by short videos. Install it (for example: apt install ffmpeg) and start Koma again.",
      "indexPath": "Folder or video",
      "indexPathHint": "Below {{folders}}. Leave it empty for all folders.",
      "indexGo": "Index",
      "queued_one": "{{count, number}} video waits for indexing.",
      "queued_other": "{{count, number}} videos wait for indexing.",
      "frameCount_one": "{{count, number}} frame",
      "frameCount_other": "{{count, number}} frames",
      "indexRun": "{{done, number}} of {{files, number}} videos",
      "indexIdle": "No video is being indexed.",
      "lastRun": "Last run: {{indexed, number}} indexed, {{skipped, number}} unchanged, {{failed, number}} failed.",
      "findAnime": "Title of an anime",
      "noAnime": "There are no such anime.",
      "leftFilter": "{{title}} was changed and no longer matches the filter.",
      "clearFilter": "Clear the filter",
      "showEpisodes": "Episodes",
      "showEpisodesLabel": "Show the episodes of {{title}}",
      "edit": "Edit",
      "editLabel": "Edit {{title}}",
      "folder": "Folder",
      "folderLabel": "Name all videos in the folder of {{title}}",
      "folderHint": "For all indexed videos in the folder of this video and its subfolders. What is left empty stays as it is.",
      "labels": "Parts",
      "labelsLabel": "Named parts of {{title}}",
      "labelsHint": "A match in one of these parts says so. Koma finds openings and endings by itself. What you save stays as it is.",
      "newLabel": "Add a part",
      "labelFrom": "From",
      "labelTo": "To",
      "labelTimeHint": "Minutes and seconds, as 1:30",
      "animeTitle": "Title of the anime",
      "firstEpisode": "Number of the first video, in the order of file names",
      "merge": "Merge",
      "mergeLabel": "Merge {{title}} into another anime",
      "mergeHint": "All episodes, search counts and searches move to the anime that you choose. This cannot be undone.",
      "mergeInto": "Anime that remains",
      "merged": "The anime are merged.",
      "remove": "Remove",
      "removeLabel": "Remove {{title}}",
      "removeHint": "Searches no longer find it. The video files stay, and indexing their folder adds them again.",
      "removed": "Removed from the library.",
      "titleRomaji": "Romanized title",
      "titleEnglish": "English title",
      "titleNative": "Original title",
      "isAdult": "For adults only",
      "season": "Season",
      "number": "Number",
      "episodeTitle": "Title of the episode",
      "save": "Save",
      "saved": "Saved.",
      "blocked": "Blocked chats",
      "blockedHint": "The database stores a keyed hash of a chat, not its id. A note helps to recognize it.",
      "noBlocked": "No chat is blocked.",
      "chat": "Chat",
      "chatHint": "discord:123 or telegram:123",
      "chatKind": "Kind",
      "chatKinds": {
        "user": "User",
        "server": "Server or group"
      },
      "note": "Note",
      "block": "Block",
      "unblock": "Unblock",
      "unblockLabel": "Unblock {{chat}}",
      "isBlocked": "The chat is blocked.",
      "isUnblocked": "The chat is no longer blocked.",
      "corrections": "Corrections",
      "noCorrections": "There are no corrections.",
      "wrongMatch": "Wrong match: {{scene}}",
      "settle": "Settled",
      "settleLabel": "Settled: {{text}}",
      "isSettled": "The correction is settled.",
      "apply": "Apply",
      "applyTitle": "Name this episode as the correction says?",
      "applyChange": "{{before}} becomes {{after}}.",
      "applyHint": "Apply it only if the image is from this episode and the episode is named wrongly. Indexing the video again keeps the names.",
      "actionLabel": "{{action}}: {{name}}",
      "missing": "Missing",
      "missingHint": "Searches without a match, grouped by the likeness of their images. No image is stored. A group is deleted {{days, number}} days after its last search.",
      "missingOff": "KOMA_MISSING_DAYS is 0, so searches without a match are not listed here.",
      "noMissing": "There are no such searches.",
      "missingSearches_one": "{{count, number}} search",
      "missingSearches_other": "{{count, number}} searches",
      "missingLast": "last {{at, relative}}",
      "missingUnknown": "Unknown scene",
      "missingState": "Show",
      "missingStates": {
        "open": "Open",
        "wanted": "Wanted",
        "dismissed": "Dismissed"
      },
      "want": "Wanted",
      "dismiss": "Dismiss",
      "reopen": "Reopen",
      "log": "Actions",
      "noActions": "There are no actions.",
      "indexPathWrong": "There is no folder or video with this path below {{folders}}, or Koma cannot read it.",
      "queueTitle": "Queue of the workers",
      "queueCounts": "Waiting: {{waiting, number}}. At work: {{running, number}}. Failed: {{failed, number}}.",
      "queuePaused": "The queue is paused. Workers finish their videos and take no further ones.",
      "queueResumed": "Workers take videos again.",
      "pauseQueue": "Pause",
      "resumeQueue": "Resume",
      "retryFailed": "Try all failed ones again",
      "queueEmpty": "The queue is empty. This command fills it: koma index --queue FOLDER",
      "noVideos": "There are no such videos.",
      "workers": "Workers",
      "noWorkers": "No worker is running. This command starts one: koma worker",
      "workerFacts": "Videos: {{done, number}}. Failed attempts: {{failures, number}}.",
      "workerSeen": "Last heartbeat {{at, relative}}",
      "workerPreviews": "serves previews",
      "videoFacts": "Attempts: {{attempts, number}}. Priority: {{priority, number}}.",
      "videoDue": "Next attempt {{at, relative}}",
      "videoProgress": "Progress of {{path}}",
      "disable": "Disable",
      "disableLabel": "Disable {{name}}",
      "disableHint": "All sessions of this user end, and the API keys are refused. You can enable the user again.",
      "wasDisabled": "{{name}} is disabled.",
      "enable": "Enable",
      "enableLabel": "Enable {{name}}",
      "wasEnabled": "{{name}} is enabled again.",
      "removeFactor": "Remove second factor",
      "removeFactorLabel": "Remove second factor of {{name}}",
      "removeFactorHint": "Remove it only if you are sure that {{name}} asked for it. All sessions end, and the password alone is enough to sign in.",
      "factorRemoved": "The second factor of {{name}} is removed.",
      "deleteUser": "Delete",
      "deleteUserLabel": "Delete the account of {{name}}",
      "deleteUserHint": "API keys, credits and history are deleted too. This cannot be undone.",
      "userDeleted": "The account of {{name}} is deleted.",
      "hasSecondFactor": "second factor",
      "findActions": "Action, name or title",
      "findEpisodes": "Title or file name",
      "anilistId": "AniList id"
    },
    "device": {
      "title": "Connect a bot",
      "lead": "A bot in Discord or Telegram showed you a code. Enter it to let the bot search with your account.",
      "code": "Code of the bot",
      "codeHint": "Like WDJB-MJHT",
      "look": "Go on",
      "asks": "{{name}} wants to search with your account",
      "warning": "Approve only if you asked for this yourself just now and the bot shows the same code. The name comes from the bot.",
      "bot": "Bot",
      "chat": "Chat account",
      "nameThere": "Called there",
      "platform": "Platform",
      "codeNow": "Code",
      "keyTitle": "New key",
      "scope": "The bot can search with your credits and see how many are left. You can end that at any time under API keys.",
      "approve": "Approve",
      "refuse": "Refuse",
      "approved": {
        "title": "Connected",
        "text": "Go back to the chat: the bot tells you within a few seconds."
      },
      "refused": {
        "title": "Refused",
        "text": "The bot has no access to your account."
      },
      "another": "Enter another code",
      "unknown": "No bot is waiting for this code. Compare it letter by letter."
    },
    "reset": {
      "title": "Forgotten password",
      "lead": "We send you a link with which you choose a new one.",
      "send": "Send the link",
      "sent": {
        "title": "Check your mail",
        "text": "If there is an account with {{email}}, a link is on its way."
      },
      "noMail": "This site sends no mail. Ask the operator for a new password.",
      "chooseTitle": "Choose a new password",
      "choose": "Save the password",
      "done": "The password is changed. Sign in with the new one.",
      "badLink": "This link no longer works. Ask for a new one.",
      "logged": "This site has no mail server. If there is an account with {{email}}, the link is in the server's log; ask the operator for it.",
      "loggedTitle": "The link is in the server's log"
    },
    "get": {
      "title": "Get Koma",
      "lead": "Search from where you watch and chat. Everything here searches as a guest, or with an API key of your account.",
      "key": "API key (optional)",
      "keyHint": "It is written into the files that you download. Do not share these files.",
      "keyInvalid": "This does not look like an API key.",
      "download": "Download {{file}}",
      "extension": {
        "title": "Browser extension",
        "text": "Right-click an image, or a video at the frame that you want. The extension is part of the source code of Koma, for Chromium and Firefox. Enter the address of this site in its options: {{address}}"
      },
      "shareX": {
        "text": "Open the file and choose Koma as the image uploader. After each capture, the link of the result is copied."
      },
      "mpv": {
        "text": "Copy the file to the “scripts” folder of mpv. Ctrl+F searches the current frame, Ctrl+J jumps to the result. It needs curl."
      },
      "userscript": {
        "title": "Userscript",
        "text": "For Tampermonkey or Violentmonkey: Alt+Shift+click an image on any page."
      },
      "shortcut": {
        "title": "Shortcut for iOS and macOS",
        "text": "Create a shortcut that receives images from the share sheet. Add an action that gets the contents of {{address}} with the method POST and a form whose file field “image” is the input. Show {{title}} and {{time}} of the response."
      },
      "bots": {
        "title": "Discord and Telegram",
        "text": "If this site has a bot, send it an image, or mention it in a reply to one. Its command /link connects it to your account."
      },
      "api": {
        "title": "Your own programs",
        "text": "One request finds a scene. The file is an example in Python; this line uses curl:"
      }
    },
    "examples": {
      "works": "Images that can be found",
      "fails": "Images that cannot be found",
      "alt": "Example: {{what}}",
      "whole": "A whole frame",
      "caption": "A line of subtitles on it",
      "screen": "A photo of a screen",
      "blurred": "Very small or blurred",
      "covered": "Mostly covered",
      "drawing": "A drawing by fans"
    }
  };
  time: {
    "moment": "{{day}} at {{clock}}"
  };
  web: {
    "name": "Koma",
    "skip": "Skip to the content",
    "nav": {
      "label": "Pages",
      "home": "Koma, search",
      "rankings": "Rankings",
      "recent": "Recent",
      "signIn": "Sign in",
      "account": "Account",
      "keys": "API keys",
      "history": "History",
      "device": "Connect a bot",
      "operator": "Operator",
      "signOut": "Sign out",
      "accountLabel": "Your account",
      "library": "Library"
    },
    "footer": {
      "api": "API for programs",
      "language": "Language",
      "theme": "Appearance",
      "auto": "Automatic",
      "light": "Light",
      "dark": "Dark",
      "privacy": "Koma searches images and does not store them.",
      "more": "About this site",
      "status": "Status",
      "about": "About",
      "faq": "Questions",
      "policy": "Privacy",
      "terms": "Terms",
      "get": "Get Koma"
    },
    "common": {
      "cancel": "Cancel",
      "copied": "Copied",
      "loading": "Loading…",
      "retry": "Try again",
      "earlier": "Earlier",
      "later": "Later",
      "page": "Page {{page, number}} of {{pages, number}}",
      "pages": "Pages of this list",
      "previous": "Previous",
      "next": "Next"
    },
    "search": {
      "title": "Which anime is this?",
      "lead": "Drop a screenshot. Koma names the anime, the episode and the second.",
      "area": "Drop a screenshot here",
      "areaTouch": "Choose a screenshot or video",
      "areaHint": "an image or a short video, or paste it",
      "choose": "Choose an image",
      "camera": "Take a photo",
      "anywhere": "Drop it anywhere",
      "address": "Address of an image",
      "addressHint": "https://…",
      "addressGo": "Search",
      "privacy": "Others may see what was found",
      "privacyHint": "Only once you confirm a scene, and never your image.",
      "upstreams": "An image that is not in the library is also sent to {{services, list}}.",
      "tryIt": "No screenshot at hand? Try one of these frames:",
      "tryFrame": "Try a frame of {{anime}}, {{episode}}",
      "tryAnime": "Try a frame of {{anime}}",
      "reading": "Reading the image…",
      "searching": "Searching {{count, number}} frames…",
      "searchingAll": "Searching all frames…",
      "cancelled": "Search cancelled.",
      "another": "Search another image",
      "yours": "Your image",
      "yoursAlt": "The image that was searched",
      "converted": "Sent as a smaller JPEG; the file on your device is unchanged.",
      "cropped": "The scene is the bright part; the rest was left out.",
      "notPicture": {
        "title": "That is not an image this browser can open",
        "text": "JPEG, PNG, WebP, GIF, AVIF and BMP always work; HEIC where the browser can open it. A screenshot of the image will do. Short MP4 and WebM videos work, too."
      },
      "tooLarge": {
        "title": "The image is too large",
        "text": "It can have up to {{megabytes, number}} MB, and this browser could not make it smaller."
      },
      "video": {
        "title": "That video can't be searched",
        "text": "MP4 and WebM videos work, where this site reads videos. Otherwise pause at the scene, take a screenshot and drop that."
      },
      "noPicture": {
        "title": "There was no image in that",
        "text": "Drop or paste an image or video file, or the address of one."
      },
      "filter": "Only in this anime",
      "filterHint": "Any anime",
      "filterUnknown": "No anime in the library has this title.",
      "videoTooLarge": {
        "title": "The video is too long or too large",
        "text": "It can have up to {{seconds, number}} seconds and {{megabytes, number}} MB. Cut it, or take a screenshot of the scene."
      },
      "yourVideo": "Your video",
      "queryFrame": "Searched: the frame at {{time}}",
      "addressTooLarge": {
        "title": "The file is too large or too long",
        "text": "An image can have up to {{megabytes, number}} MB and 50 megapixels, a video up to {{megabytes, number}} MB and {{seconds, number}} seconds. A screenshot of the scene will do."
      },
      "filterAmbiguous": "Several anime match this text. Choose one of the titles.",
      "leftOut": "Left out, because they are neither images nor videos: {{names}}"
    },
    "result": {
      "foundIn": "{{count, number}} frames searched in {{ms, number}} ms",
      "tips": "What helps: the whole image without black bars, subtitles or stickers; a frame with something happening in it; not a fan drawing.",
      "others_one": "{{count, number}} other candidate",
      "others_other": "{{count, number}} other candidates",
      "confirm": "This is it",
      "confirmed": "Confirmed by you",
      "confirmedByOther": "Confirmed",
      "confirmDone": "Thank you. That helps others, too.",
      "confirmNone": "None of these",
      "confirmedNone": "You said that none of these is right. Thank you.",
      "correction": "What does your image show?",
      "correctionEpisode": "Episode",
      "correctionHint": "Title and episode, for the operators of this site.",
      "correctionSend": "Send",
      "correctionSent": "Thank you. The operators of this site will read it.",
      "undo": "Take it back",
      "undone": "Taken back.",
      "play": "Play the clip",
      "pause": "Stop the clip",
      "soundOn": "Sound on",
      "soundOff": "Sound off",
      "share": "Copy the result",
      "shareHint": "Anyone with the link sees the scene, never your image.",
      "sharePrivate": "This search is private: others cannot open it.",
      "shareFirst": "Copying the result also confirms the scene, so that the link works for others.",
      "aniList": "AniList",
      "myAnimeList": "MyAnimeList",
      "elsewhere": "{{site}}: {{anime}} (opens another site)",
      "shared": "A scene that somebody found",
      "searchYourself": "Search an image of your own",
      "gone": {
        "title": "This result cannot be shown",
        "text": "It is private, was deleted, or is older than 24 hours and was never confirmed."
      },
      "found": "Found",
      "headline": "{{anime}}, {{episode}}, {{at, time}}",
      "headlineAnime": "{{anime}}, {{at, time}}",
      "titleRejected": "None of these scenes",
      "shareNative": "Share the result",
      "copied": "Title, episode, time and link are copied.",
      "copiedPrivate": "Title, episode and time are copied; a private search has no link.",
      "copyTime": "Copy the exact time",
      "timeCopied": "{{time}} is copied.",
      "engines": "Search with another service",
      "enginesHint": "These sites open in a new tab. They receive nothing from Koma but the address that you entered, if you entered one.",
      "lookAlikes_one": "{{count, number}} scene that only looks similar",
      "lookAlikes_other": "{{count, number}} scenes that only look similar",
      "occurrences": "Other places with the same shot",
      "fullScreen": "Full screen",
      "position": "Position in the clip",
      "around": "Around this moment",
      "aroundShots": "Shots around this moment",
      "foundShot": "{{at, time}}, the found shot",
      "clipLength": "Length of the clip",
      "clipOfScene": "Scene",
      "absentIn": "This image is not in {{anime}}",
      "noneIn": "The search covered only this anime. The image can be from another anime of the library.",
      "searchAll": "Search all anime",
      "watch": "Where to watch"
    },
    "quota": {
      "guest_one": "{{count, number}} of {{limit, number}} searches left today",
      "guest_other": "{{count, number}} of {{limit, number}} searches left today",
      "credits_one": "{{count, number}} search left",
      "credits_other": "{{count, number}} searches left",
      "resets": "New ones {{at, relative}}",
      "benefit": "With a free account: {{count, number}} a day, your history and API keys.",
      "signUp": "Create an account",
      "benefitOther": "With a free account: your history and API keys."
    },
    "errors": {
      "signIn": "Sign in",
      "signUp": "Create a free account",
      "benefit_one": "An account has {{count, number}} free search a day.",
      "benefit_other": "An account has {{count, number}} free searches a day.",
      "buy": "Get more credits",
      "asGuest": "Go on as a guest",
      "setUpTwoFactor": "Open the account page",
      "openHere": "Open {{address}}",
      "showDetail": "Details",
      "sessionEnded": {
        "title": "Your session has ended",
        "text": "Sign in again, or go on as a guest."
      },
      "pageMissing": {
        "title": "There is no such page",
        "text": "The address may be mistyped.",
        "home": "To the search"
      },
      "pageBroken": {
        "title": "This page could not be loaded",
        "text": "Perhaps Koma was updated meanwhile, or the connection is gone.",
        "reload": "Load it again"
      },
      "tooManyTries": {
        "title": "Too many attempts",
        "text": "Please wait before you try again."
      },
      "pendingSearch": "Your image stays in this tab: after you sign in, the search continues.",
      "guestLimit": "A free account has its own searches.",
      "noConnection": {
        "title": "You are offline",
        "text": "This device has no connection to the network. Check the connection, then try again."
      }
    },
    "rankings": {
      "title": "Rankings",
      "lead": "The anime that people searched for most.",
      "period": "Period",
      "daily": "Today",
      "weekly": "7 days",
      "monthly": "30 days",
      "yearly": "365 days",
      "all": "All time",
      "adult": "With anime for adults",
      "searches_one": "{{count, number}} search",
      "searches_other": "{{count, number}} searches",
      "empty": "Nothing was searched in this period yet.",
      "rank": "Rank {{rank, number}}",
      "scenes": "Most searched scenes of the last 30 days"
    },
    "recent": {
      "title": "Recently found",
      "lead": "Scenes that people searched and confirmed. Who searched, and with which image, is never shown.",
      "empty": "Nobody has confirmed a scene yet. Be the first.",
      "more": "Show more",
      "found": "Found {{at, relative}}"
    },
    "sign": {
      "inTitle": "Sign in",
      "upTitle": "Create an account",
      "inLead": "Welcome back.",
      "upLead": "Free: {{count, number}} searches a day, your own history, and API keys for programs and bots.",
      "name": "Name",
      "nameHint": "The page shows it to you; other people never see it.",
      "nameProblem": "Enter a name.",
      "email": "Email address",
      "password": "Password",
      "newPassword": "New password",
      "passwordHint": "At least 10 characters.",
      "in": "Sign in",
      "up": "Create the account",
      "provider": "Continue with {{name}}",
      "or": "or",
      "toUp": "No account yet? Create one",
      "toIn": "Already have an account? Sign in",
      "forgot": "Forgot the password?",
      "checkMail": {
        "title": "Check your mail",
        "text": "We sent a link to {{email}}. Open it to confirm the address; then you are signed in."
      },
      "welcome": "Signed in as {{name}}.",
      "goodbye": "Signed out."
    },
    "signErrors": {
      "INVALID_EMAIL_OR_PASSWORD": "The email address or the password is wrong.",
      "INVALID_EMAIL": "This is not a mail address.",
      "USER_ALREADY_EXISTS": "There is an account with this address already. Sign in, or reset the password.",
      "PASSWORD_TOO_SHORT": "The password needs at least 10 characters.",
      "PASSWORD_TOO_LONG": "The password can have at most 128 characters.",
      "PASSWORD_TOO_COMMON": "This password is too common. Choose another one.",
      "INVALID_PASSWORD": "The password is wrong.",
      "EMAIL_NOT_VERIFIED": "The address is not confirmed yet. Open the link in the mail that we sent.",
      "USER_DISABLED": "This account is disabled. Ask the operator of this site.",
      "INVALID_TOKEN": "This link no longer works. Ask for a new one.",
      "SESSION_EXPIRED": "You signed in a while ago. For this, please sign in again.",
      "INVALID_CODE": "The code is wrong or was used before. Enter the next one.",
      "INVALID_BACKUP_CODE": "This recovery code is wrong or was used before.",
      "INVALID_TWO_FACTOR_COOKIE": "This sign-in took too long or had too many wrong codes. Start again with the password.",
      "other": "That did not work. Please try again in a moment."
    },
    "account": {
      "title": "Account",
      "hello": "Hello, {{name}}",
      "credits": "Searches left",
      "free": "Free today",
      "freeLeft": "{{remaining, number}} of {{limit, number}}",
      "freeResets": "New ones {{at, relative}} ({{at, moment}})",
      "purchased": "Bought or granted",
      "purchasedHint": "They do not expire and are used after the free ones.",
      "hourly": "This hour",
      "hourlyLeft": "{{remaining, number}} of {{limit, number}}",
      "buyTitle": "Get more searches",
      "buy_one": "{{count, number}} search",
      "buy_other": "{{count, number}} searches",
      "buyHint": "Paid at Stripe; the price is shown there.",
      "purchaseDone": "Thank you. The credits arrive within a minute.",
      "purchaseCancelled": "The purchase was cancelled; nothing was charged.",
      "password": "Change the password",
      "currentPassword": "Current password",
      "changePassword": "Change",
      "passwordChanged": "The password is changed; other devices are signed out.",
      "revokeKeys": "Also revoke all API keys; programs and linked bots stop working",
      "passwordAndKeysChanged": "The password is changed; other devices are signed out and all API keys are revoked.",
      "sessions": "Signed-in devices",
      "unknownDevice": "Unknown device",
      "signedInAt": "Signed in {{at, date}}",
      "thisDevice": "this device",
      "revokeSession": "Sign out",
      "revokeSessionLabel": "Sign out {{device}}",
      "sessionRevoked": "{{device}} is signed out.",
      "deleteTitle": "Delete the account",
      "deleteText": "Keys, history and remaining credits are gone at once and for good. Scenes that you confirmed publicly stay, without any trace of you.",
      "delete": "Delete the account",
      "deleteConfirm": "Yes, delete everything",
      "deleteHint": "For this, sign in again; the deletion is possible for 5 minutes after that.",
      "deleted": "Your account is deleted."
    },
    "twoFactor": {
      "title": "Second factor",
      "off": "With a code of an authenticator app in addition to the password, a stolen password is not enough to sign in.",
      "on": "Every sign-in needs a code of your authenticator app.",
      "enable": "Set up the second factor",
      "disable": "Turn the second factor off",
      "enabled": "The second factor is on; other devices are signed out.",
      "disabled": "The second factor is off.",
      "newCodes": "Create new recovery codes",
      "scan": "Scan the QR code with an authenticator app, or type the secret into it. Then enter the code that it shows.",
      "qrCode": "QR code for the authenticator app",
      "secret": "Secret",
      "copySecret": "Copy the secret",
      "code": "Code of the authenticator app",
      "verify": "Turn on",
      "codes": "Recovery codes",
      "codesText": "Keep these recovery codes in a safe place: each one replaces a code once, for example when you lose the app. They are shown this once; earlier ones no longer work.",
      "copyCodes": "Copy the codes",
      "download": "Download the codes",
      "codeLead": "Enter the code that your authenticator app shows for Koma.",
      "recoveryLead": "Enter one of your recovery codes. Each one works once.",
      "recoveryCode": "Recovery code",
      "useCode": "Use the authenticator app",
      "useRecovery": "Use a recovery code",
      "back": "Back to the sign-in"
    },
    "keys": {
      "title": "API keys",
      "lead": "With a key, programs search with your credits. Keep it secret, like a password.",
      "newTitle": "What is it for?",
      "newHint": "My script",
      "scope": "What may it do?",
      "scopes": {
        "all": "Search and read your credits",
        "search": "Search",
        "account": "Read your credits"
      },
      "expiry": "Valid",
      "never": "Until you revoke it",
      "create": "Create the key",
      "createdTitle": "Your new key",
      "createdText": "Copy it now: it is shown this once.",
      "tryIt": "Try it at once:",
      "copyKey": "Copy the key",
      "copyLine": "Copy the line",
      "key": "API key",
      "list": "Your keys",
      "empty": "You have no keys yet.",
      "created": "Created {{at, date}}",
      "used": "Last used {{at, relative}}",
      "unused": "Never used",
      "expires": "Until {{at, date}}",
      "expired": "Expired {{at, date}}",
      "published": "Published in a chat and revoked {{at, date}}",
      "revoke": "Revoke",
      "revokeLabel": "Revoke {{title}}",
      "revokeTitle": "Revoke “{{title}}”?",
      "revokeText": "Programs and bots that use it are refused from now on. This cannot be undone.",
      "revoked": "“{{title}}” is revoked.",
      "made": "The key “{{title}}” is created.",
      "remove": "Remove",
      "removeLabel": "Remove {{title}}",
      "removeTitle": "Remove “{{title}}” from the list?"
    },
    "history": {
      "title": "Your searches",
      "lead": "Koma keeps the result of a search, not the image.",
      "empty": "You have not searched anything yet.",
      "none": "Nothing found",
      "isPublic": "Public",
      "isPrivate": "Private",
      "deleteLabel": "Delete the search of {{at, moment}}",
      "deleted": "The search is deleted.",
      "confirmed": "confirmed",
      "perhaps": "perhaps"
    },
    "batch": {
      "title": "Your images",
      "waiting": "Waiting",
      "searching": "Searching…",
      "item": "Image {{number, number}}",
      "limit": "Only the first {{count, number}} images are searched.",
      "continue": "Search the remaining images",
      "notSearched": "Not searched yet"
    },
    "library": {
      "title": "Library",
      "lead": "The anime that Koma can find here.",
      "private": "The operator has not published the library of this site. Searches work all the same.",
      "filter": "Part of a title",
      "empty": "The library has no such anime.",
      "total_one": "{{count, number}} anime",
      "total_other": "{{count, number}} anime in all",
      "episodes_one": "{{count, number}} episode",
      "episodes_other": "{{count, number}} episodes",
      "indexed": "{{duration, time}} indexed, {{frames, number}} frames",
      "indexedAt": "Indexed on {{at, date}}"
    },
    "usage": {
      "title": "The last 30 days",
      "day": "Day (UTC)",
      "searches": "Searches",
      "most": "Most in one day: {{most, number}}"
    }
  };
}
