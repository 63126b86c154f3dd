/** Runs all tasks, with a limit on concurrent ones. */
export async function inTurns(stories: readonly (() => Promise<unknown>)[], atOnce: number): Promise<void> {
  const waiting = [...stories];
  const work = async () => {
    for (let story = waiting.shift(); story !== undefined; story = waiting.shift()) await story();
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}
