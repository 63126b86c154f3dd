import { koma } from "@koma/testing/start-koma";
import { describe, expect, inject, test } from "vitest";
import { findFaultsIn } from "./fixtures/find-faults.ts";
import { openAdministrator, phone } from "./fixtures/open-browser.ts";

describe.skipIf(inject("url") === "")("users on the operator page", () => {
  test("are disabled, enabled and deleted, and the actions are found by name", async () => {
    const email = `julia-${Date.now()}@site.example`;
    await koma(inject("dataDir"), "user", "create", email, "--name", "Julia");
    const { page, errors } = await openAdministrator(phone);
    const faults: string[] = [];
    const inspect = async (step: string) => {
      faults.push(
        ...(await findFaultsIn(
          page,
          [
            [390, "light"],
            [1440, "light"],
          ],
          `users-${step}`,
        )),
      );
    };
    const press = (label: string) =>
      page.getByRole("button", { name: label, exact: true }).first().press("Enter");
    const dialog = page.getByRole("dialog");

    await page.goto(`${inject("url")}/operator?part=users`);
    const find = page.getByLabel("Name or mail address");
    await find.fill(email);
    await find.press("Enter");
    await page.getByText(email).waitFor();
    await expect.poll(() => page.getByRole("listitem").count()).toBe(1);
    await inspect("list");
    await press("Disable Julia");
    await dialog.getByText("All sessions of this user end").waitFor();
    await inspect("disable");
    await dialog.getByRole("button", { name: "Disable" }).press("Enter");
    await page.getByRole("button", { name: "Enable Julia" }).waitFor();
    await press("Enable Julia");
    await dialog.getByRole("button", { name: "Enable" }).press("Enter");
    await page.getByRole("button", { name: "Disable Julia" }).waitFor();
    await press("Delete the account of Julia");
    await dialog.getByRole("button", { name: "Delete" }).press("Enter");
    await page.getByText("There are no such users.").waitFor();

    await page.goto(`${inject("url")}/operator?part=log`);
    const findActions = page.getByLabel("Action, name or title");
    await findActions.fill("user.delete");
    await findActions.press("Enter");
    await expect
      .poll(() => page.getByRole("listitem").allTextContents())
      .toSatisfy((rows: string[]) => rows.length > 0 && rows.every((row) => row.includes("user.delete")));
    await inspect("log");
    await page.goto(`${inject("url")}/operator?part=library`);
    const findEpisodes = page.getByLabel("Title or file name");
    await findEpisodes.fill("no such title");
    await findEpisodes.press("Enter");
    await page.getByText("There are no such episodes.").waitFor();
    await inspect("episodes");
    await page.getByRole("button", { name: "Clear the filter" }).last().press("Enter");
    await page.getByText("There are no such episodes.").waitFor({ state: "detached" });
    await page
      .getByRole("button", { name: /^Edit / })
      .first()
      .press("Enter");
    await dialog.getByLabel("AniList id").waitFor();
    await inspect("anime");
    expect(faults).toEqual([]);
    expect(errors).toEqual([]);
  });
});
