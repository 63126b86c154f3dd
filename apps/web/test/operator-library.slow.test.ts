import { copyFile, mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { koma } from "@koma/testing/start-koma";
import { describe, expect, inject, test } from "vitest";
import { searchFrame } from "./fixtures/acts.ts";
import { describeRunning } from "./fixtures/describe-running.ts";
import { deskAndPhone, findFaults, findFaultsIn, saveScreenshot } from "./fixtures/find-faults.ts";
import { open, openAdministrator, phone } from "./fixtures/open-browser.ts";

const { url, dataDir, folder, administrator } = inject("secondSite");

describe.skipIf(url === "")("library administration", () => {
  const phoneAtNight = { ...phone, viewport: { width: 390, height: 844 }, colorScheme: "dark" } as const;

  test("an operator indexes a folder, edits, merges, retries and removes, by keyboard", async () => {
    const samples = await readdir(join(dataDir, "sample"), { recursive: true });
    const [clip = ""] = samples.filter((file) => /\.mp4$/.test(file));
    const title = "Zeta Voyage";
    await mkdir(join(folder, title));
    await copyFile(join(dataDir, "sample", clip), join(folder, title, `${title} - 01.mp4`));
    await mkdir(join(folder, `${title} Broken`));
    const broken = join(folder, `${title} Broken`, `${title} Broken - 02.mp4`);
    await writeFile(broken, "not a video");

    const { page, errors } = await openAdministrator({}, administrator);
    const faults: string[] = [];
    const inspect = async (step: string) => {
      faults.push(...(await findFaultsIn(page, deskAndPhone, `admin-${step}`)));
    };
    const press = async (label: string | RegExp) => {
      // A list that is loaded again can replace the button.
      await expect.poll(() => page.locator("[aria-busy=true]").count()).toBe(0);
      await page.getByRole("button", { name: label, exact: true }).first().press("Enter");
    };
    const dialog = page.getByRole("dialog");
    const isClosed = () => dialog.waitFor({ state: "detached" });
    const focusedText = () => page.evaluate(() => document.activeElement?.textContent);

    await page.goto(`${url}/operator?part=library`);
    await page.getByText(`Below ${folder}`).waitFor();
    await page.getByLabel("Folder or video").fill("/etc");
    await page.keyboard.press("Enter");
    await page.getByText(`There is no folder or video with this path below ${folder}`).waitFor();
    expect(await page.getByText("permission").count()).toBe(0);
    const isFocused = () =>
      page.getByLabel("Folder or video").evaluate((field) => field === document.activeElement);
    await expect.poll(isFocused).toBe(true);
    await inspect("outside");
    await page.getByLabel("Folder or video").fill("");
    await page.keyboard.press("Enter");
    const edit = page.getByRole("button", { name: `Edit ${title}`, exact: true });
    await edit.waitFor({ timeout: 120_000 });
    await page.getByText(/^Last run: \d+ indexed, \d+ unchanged, 1 failed/).waitFor();
    await press(`Edit ${title}`);
    await dialog.getByLabel("English title").fill(`${title} English`);
    await dialog.getByLabel("For adults only").focus();
    await page.keyboard.press("Space");
    await inspect("edit");
    await dialog.getByLabel("English title").press("Enter");
    await isClosed();
    await page.getByText(`${title} English`, { exact: true }).first().waitFor();
    await inspect("library");

    const longTitle = "W".repeat(200);
    const rename = async (from: string, to: string) => {
      await press(`Edit ${from}`);
      await dialog.getByLabel("English title").fill(to);
      await dialog.getByLabel("English title").press("Enter");
      await isClosed();
    };
    const findField = page.getByLabel("Title of an anime");
    await findField.fill(`${title} English`);
    await findField.press("Enter");
    await rename(`${title} English`, longTitle);
    await page
      .getByText(`${title} English was changed and no longer matches the filter.`, { exact: true })
      .waitFor();
    await inspect("filter");
    await press("Clear the filter");
    await expect.poll(focusedText).toBe("Anime");
    await page.getByText(longTitle, { exact: true }).first().waitFor();
    expect(await findField.inputValue()).toBe("");
    await press(`Merge ${longTitle} into another anime`);
    await dialog.getByRole("radio").first().waitFor();
    await inspect("merge-from-long");
    await page.keyboard.press("Escape");
    await isClosed();
    await press(`Merge ${title} Broken into another anime`);
    await dialog.getByRole("radio", { name: longTitle }).waitFor();
    const isWrapped = ({ scrollWidth, clientWidth }: Element) => scrollWidth <= clientWidth;
    expect(await dialog.evaluate(isWrapped)).toBe(true);
    await inspect("merge-into-long");
    await page.keyboard.press("Escape");
    await isClosed();
    await rename(longTitle, `${title} English`);
    await page.getByText(`${title} English`, { exact: true }).first().waitFor();

    await press(`Show the episodes of ${title} Broken`);
    await expect.poll(focusedText).toBe(`${title} Broken`);
    await press(/^Try again: /);
    await page.getByText("1 video waits for indexing.").waitFor();
    await press(/^Edit .*, Episode 2$/);
    await dialog.getByLabel("Number").fill("12");
    await page.keyboard.press("Enter");
    await isClosed();
    await page.getByText(`${title} Broken, Episode 12`, { exact: true }).waitFor();

    await press(/^Named parts of .*, Episode 12$/);
    await dialog.getByLabel("Add a part").selectOption("Ending");
    await dialog.getByLabel("From").fill("1:30");
    await dialog.getByLabel("To").fill("2:59");
    await inspect("labels");
    await page.keyboard.press("Enter");
    await isClosed();
    await page.getByText(/Ending 1:30–2:59/).waitFor();
    await press(/^Named parts of .*, Episode 12$/);
    await dialog.getByRole("button", { name: "Remove Ending 1:30–2:59" }).press("Enter");
    await inspect("labels-removed");
    await dialog.getByRole("button", { name: "Save" }).press("Enter");
    await isClosed();
    await page.getByText(/Ending 1:30–2:59/).waitFor({ state: "detached" });

    await press(`Merge ${title} Broken into another anime`);
    await dialog.getByLabel("Title of an anime").fill(title);
    await dialog.getByRole("radio", { name: `${title} English` }).focus();
    await page.keyboard.press("Space");
    await inspect("merge");
    await page.keyboard.press("Enter");
    await isClosed();
    await page
      .getByRole("button", { name: `Edit ${title} Broken`, exact: true })
      .waitFor({ state: "detached" });
    await press(`Show the episodes of ${title} English`);
    await page.getByText(`${title} English, Episode 12`, { exact: true }).waitFor();
    await inspect("episodes");

    await press(`Name all videos in the folder of ${title} English, Episode 12`);
    await dialog.getByLabel("Season").fill("2");
    await inspect("folder");
    await page.keyboard.press("Escape");
    await isClosed();

    await press(`Remove ${title} English, Episode 12`);
    await expect.poll(focusedText).toBe("Cancel");
    await inspect("remove");
    await page.keyboard.press("Escape");
    await isClosed();
    await page.getByText(`${title} English, Episode 12`, { exact: true }).waitFor();
    await press(`Remove ${title} English, Episode 12`);
    await dialog.getByRole("button", { name: "Remove" }).focus();
    await page.keyboard.press("Enter");
    await isClosed();
    await page.getByText(`${title} English, Episode 12`, { exact: true }).waitFor({ state: "detached" });
    await expect.poll(focusedText).toBe(`${title} English`);
    const removeAnime = page.getByRole("button", { name: `Remove ${title} English`, exact: true });
    await removeAnime.focus();
    await page.keyboard.press("Enter");
    await expect.poll(focusedText).toBe("Cancel");
    await dialog.getByRole("button", { name: "Remove" }).focus();
    await page.keyboard.press("Enter");
    await removeAnime.waitFor({ state: "detached" });
    await expect.poll(focusedText).toBe("Anime");
    await rm(broken);
    expect(faults).toEqual([]);
    // The browser itself logs the rejected folder.
    expect(errors.filter((error) => !error.includes("400"))).toEqual([]);
  }, 360_000);

  test("an operator pauses the shared queue and retries a failed video", async () => {
    const broken = join(folder, "Queue", "Queue - 01.mp4");
    await mkdir(join(folder, "Queue"));
    await writeFile(broken, "not a video");
    await writeFile(join(folder, "Queue", "Queue - 02.mp4"), "not a video either");
    await koma(dataDir, "index", "--queue", join(folder, "Queue"));
    const { page, errors } = await openAdministrator({}, administrator);
    await page.goto(`${url}/operator?part=library`);
    const card = page.locator("section", {
      has: page.getByRole("heading", { name: "Queue of the workers" }),
    });
    const press = (label: string | RegExp) =>
      card.getByRole("button", { name: label }).first().press("Enter");
    const inspect = async (step: string) => {
      await saveScreenshot(page, `queue-${step}`);
      expect(await findFaults(page)).toEqual([]);
    };
    await card.getByText("Waiting: 2. At work: 0.").waitFor();
    await card.getByText("No worker is running.").waitFor();
    await press("Pause");
    await card.getByText("The queue is paused.").waitFor();
    await inspect("paused");
    await press("Resume");
    await card.getByRole("button", { name: "Pause" }).waitFor();
    await koma(dataDir, "worker", "--drain");
    await card.getByLabel("State").selectOption("failed");
    await card.getByText("Waiting: 0. At work: 0.").waitFor();
    await card.getByText(broken, { exact: true }).waitFor();
    await inspect("failed");
    await press(`Try again: ${broken}`);
    await page.getByText("1 video waits for indexing.").waitFor();
    await card.getByText(broken, { exact: true }).waitFor({ state: "detached" });
    await card.getByText("Waiting: 1. At work: 0. Failed: 1.").waitFor();
    await card.getByLabel("State").selectOption("");
    await press("Try all failed ones again");
    await card.getByText(/At work: 0\. Failed: 0\./).waitFor();

    // A worker at work, as the API describes it.
    await page.route("**/api/operator/queue?*", (route) => route.fulfill({ json: describeRunning(broken) }));
    await page.reload();
    await card.getByText("host:4711").first().waitFor();
    await card.getByText("25 %").first().waitFor();
    expect(await card.getByRole("progressbar").getAttribute("value")).toBe("0.25");
    await inspect("running");
    expect(errors).toEqual([]);
  }, 360_000);

  test("an operator applies and settles a visitor's corrections, on phones", async () => {
    const visitor = await open(phoneAtNight);
    await visitor.page.goto(url);
    await searchFrame(visitor.page);
    const [, episode = ""] = /Episode (\d+)/.exec(await visitor.page.locator("h1").innerText()) ?? [];
    await visitor.page.getByRole("button", { name: "None of these" }).click();
    const title = visitor.page.getByLabel("What does your image show?");
    await title.fill("Lantern Road");
    await visitor.page.getByLabel("Episode", { exact: true }).fill("33");
    await saveScreenshot(visitor.page, "correction");
    expect(await findFaults(visitor.page)).toEqual([]);
    await title.press("Enter");
    await visitor.page.getByText("The operators of this site will read it.").first().waitFor();
    expect(visitor.errors).toEqual([]);

    const { page, errors } = await openAdministrator(phoneAtNight, administrator);
    await page.goto(`${url}/operator?part=corrections`);
    await page.getByText("Lantern Road · Episode 33", { exact: true }).waitFor();
    await page
      .getByText(/^Wrong match: Iron Comet/)
      .first()
      .waitFor();
    await saveScreenshot(page, "corrections");
    expect(await findFaults(page)).toEqual([]);
    await page.getByRole("button", { name: "Apply: Lantern Road · Episode 33" }).click();
    await page.getByText(/^Iron Comet.* becomes Lantern Road · Episode 33\.$/).waitFor();
    await saveScreenshot(page, "correction-apply");
    expect(await findFaults(page)).toEqual([]);
    await page.getByRole("button", { name: "Apply", exact: true }).click();
    await page.getByText("There are no corrections.").waitFor();

    await visitor.page.getByRole("button", { name: "Take it back" }).click();
    await visitor.page.getByRole("button", { name: "None of these" }).click();
    await title.fill("Iron Comet");
    await visitor.page.getByLabel("Episode", { exact: true }).fill(episode);
    await title.press("Enter");
    await visitor.page.getByText("The operators of this site will read it.").first().waitFor();
    await page.reload();
    await page.getByRole("button", { name: "Apply: Iron Comet" }).click();
    await page.getByText(`Lantern Road · Episode 33 becomes Iron Comet · Episode ${episode}.`).waitFor();
    await page.getByRole("button", { name: "Cancel" }).click();
    // The library is again as other tests expect it.
    await page.getByRole("button", { name: "Apply: Iron Comet" }).click();
    await page.getByRole("button", { name: "Apply", exact: true }).click();
    await page.getByText("There are no corrections.").waitFor();
    await visitor.page.getByRole("button", { name: "Take it back" }).click();
    await visitor.page.getByRole("button", { name: "None of these" }).click();
    await title.fill("Another show");
    await title.press("Enter");
    await visitor.page.getByText("The operators of this site will read it.").first().waitFor();
    await page.reload();
    await page.getByText("Another show", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Settled: Another show" }).focus();
    await page.keyboard.press("Enter");
    await page.getByText("There are no corrections.").waitFor();
    expect(errors).toEqual([]);
  });

  test("says how to switch indexing on where no folders are configured", async () => {
    const { page } = await openAdministrator();
    await page.goto(`${inject("url")}/operator?part=library`);
    await page.getByText(/To switch it on, set KOMA_LIBRARY_ROOTS/).waitFor();
  });
});
