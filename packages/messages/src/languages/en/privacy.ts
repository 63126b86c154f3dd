/** What is kept, how long, and how to get rid of it. */
export const privacy = {
  title: "Your privacy",
  picture: {
    title: "Your pictures",
    text: "A picture is compared and then thrown away. It is never stored, and nobody gets to see it.",
  },
  searches: {
    title: "Your searches",
    text: "What was found is kept for 24 hours, so that you can page through it and rate it. With an account it stays in your history, where you can delete it. Searches in direct messages are never listed publicly. Confirmed ones from elsewhere may be, without your name and your picture.",
  },
  bot: {
    title: "What the bot keeps",
    text: "Your settings and your answers of the last 24 hours, under a code from which your chat account can't be read. If you connect an account, its key too, encrypted. Koma counts free searches under such a code as well.",
  },
  messages: {
    title: "Your messages",
    text: "I answer commands, mentions, replies to me and direct messages. In other messages that I can see, I only check whether somebody posted an API key of Koma by mistake.",
  },
  delete: {
    title: "Delete it",
    text: "{{command.forget}} deletes everything I know about you, at once. {{command.unlink}} only removes the key.",
  },
  forget: {
    title: "Delete everything about you?",
    text: "Your settings, your answers and the connection to your account go at once. The key ends at Koma too. Your Koma account itself stays.",
    done: "Done. I've deleted everything I knew about you.",
    doneKeyRemains:
      "Done. I've deleted everything I knew about you. I couldn't reach Koma to end your key; you can delete it in your account.",
    kept: "Nothing was deleted.",
  },
} as const;
