import sharp from "sharp";
import { describe, expect, inject, test } from "vitest";
import { focusedText, recordSearches } from "./fixtures/acts.ts";
import { findFaults, findFaultsIn } from "./fixtures/find-faults.ts";
import { open } from "./fixtures/open-browser.ts";
import { openProxy } from "./fixtures/open-proxy.ts";

const url = inject("url");

describe.skipIf(url === "")("what other apps share", () => {
  test("the address in ?url= or among the words of another app is searched once the button is pressed", async () => {
    const { page } = await open();
    const searches = recordSearches(page);
    const address = "http://127.0.0.1/x.png";
    await page.goto(`${url}/?url=${encodeURIComponent(address)}`);
    await page.getByText(/searches left today/).waitFor();
    await page.waitForLoadState("networkidle");
    expect(await page.getByLabel("Address of an image").inputValue()).toBe(address);
    expect(searches).toEqual([]);
    await expect.poll(() => focusedText(page)).toBe("Search");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "This address can't be opened" }).waitFor();
    const words = "Which one is this? (http://127.0.0.1/x.png?a=1) From the app.";
    await page.goto(`${url}/?text=${encodeURIComponent(words)}`);
    const field = page.getByLabel("Address of an image");
    await expect.poll(() => field.inputValue()).toBe("http://127.0.0.1/x.png?a=1");
    expect(searches).toHaveLength(1);
  });

  test("files and addresses that another app shares are searched after a press only", async () => {
    const { page, errors } = await open({ serviceWorkers: "allow" });
    await page.goto(url);
    await page.evaluate(async () => await navigator.serviceWorker.ready);
    const manifest = await (await fetch(`${url}/manifest.webmanifest`)).json();
    const { action, method, enctype, params } = manifest.share_target;
    expect(params).toMatchObject({ url: "url", text: "text", files: [{ name: "files" }] });
    /** Posts the form that a browser posts for another app. */
    const share = async (fields: Record<string, string>, images: readonly Buffer[]) => {
      const texts = images.map((image) => image.toString("base64"));
      await page.evaluate(
        ([action, method, enctype, fields, texts]) => {
          const form = document.createElement("form");
          Object.assign(form, { action, method, enctype });
          for (const [name, value] of Object.entries(fields))
            form.append(Object.assign(document.createElement("input"), { name, value }));
          const input = Object.assign(document.createElement("input"), { type: "file", name: "files" });
          input.multiple = true;
          const transfer = new DataTransfer();
          for (const [index, text] of texts.entries()) {
            const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
            transfer.items.add(new File([bytes], `${index}.jpg`, { type: "image/jpeg" }));
          }
          input.files = transfer.files;
          form.append(input);
          document.body.append(form);
          form.submit();
        },
        [action, method, enctype, fields, texts] as const,
      );
    };
    const searches = recordSearches(page);
    await share({ text: "A scene", url: "" }, [await sharp(inject("image")).jpeg().toBuffer()]);
    await page.getByAltText("The image that was searched").waitFor();
    await expect.poll(() => focusedText(page)).toBe("Search");
    expect(await findFaults(page)).toEqual([]);
    expect([page.url(), searches]).toEqual([`${url}/`, []]);
    await page.keyboard.press("Enter");
    await page.getByText("Found", { exact: true }).waitFor();
    expect(searches).toHaveLength(1);
    expect(await page.evaluate(() => caches.keys())).toEqual(["koma:offline"]);
    await page.getByRole("button", { name: "Search another image" }).click();
    await page.locator(".frame-button").waitFor();

    await share({ text: "http://127.0.0.1/x.png", url: "" }, []);
    await expect
      .poll(() => page.getByLabel("Address of an image").inputValue())
      .toBe("http://127.0.0.1/x.png");
    expect(searches).toHaveLength(1);
    expect(errors).toEqual([]);
  });

  test("a page that cannot be loaded is replaced by one that says why, in the reader's language", async () => {
    const proxy = await openProxy({});
    const { page } = await open({ serviceWorkers: "allow", colorScheme: "dark" });
    const retry = page.getByRole("link", { name: "Reintentar" });
    const readStored = () =>
      page.evaluate(async () => {
        const stored = await caches.match(new URL("offline", document.baseURI));
        return (await stored?.text()) ?? "";
      });
    try {
      await page.goto(`${proxy.url}/rankings`);
      await page.evaluate(async () => await navigator.serviceWorker.ready);
      await page.getByLabel("Language").selectOption("es");
      await expect.poll(readStored).toContain("Reintentar");
      await page.context().setOffline(true);
      await page.reload();
      await page.getByRole("heading", { name: "No tienes conexión" }).waitFor();
      expect(await page.evaluate(() => document.documentElement.lang)).toBe("es");
      expect(
        await findFaultsIn(
          page,
          [
            [1440, "dark"],
            [390, "dark"],
          ],
          "offline",
        ),
      ).toEqual([]);
      await page.context().setOffline(false);
      await retry.click();
      await page.getByLabel("Idioma").waitFor();
      expect(page.url()).toBe(`${proxy.url}/rankings`);
    } finally {
      proxy.close();
    }
    await page.goto(`${proxy.url}/about`);
    await page.getByRole("heading", { name: "Ahora mismo no se puede conectar con Koma" }).waitFor();
    await retry.waitFor();
    expect(page.url()).toBe(`${proxy.url}/about`);
  });
});
