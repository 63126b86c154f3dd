import { asObject, asObjects, asText, type Json } from "@koma/fake-chat";
import type { StoredFile } from "../types.ts";

/** Every component of a message in reading order, including nested ones and accessories. */
export function listComponents(components: readonly Json[]): readonly Json[] {
  return components.flatMap((component) => [
    component,
    ...listComponents(asObjects(component.components)),
    ...listComponents(asObjects([component.accessory, component.component])),
  ]);
}

/** The addresses of all images and files in components. */
export function listMediaAddresses(components: readonly Json[]): readonly string[] {
  return listComponents(components).flatMap((component) =>
    [component.media, ...asObjects(component.items).map((item) => item.media)].flatMap(
      (media) => asText(asObject(media)?.url) ?? [],
    ),
  );
}

/** True for a select menu: of texts, users, roles, mentionables or channels. */
export function isSelect({ type }: Json): boolean {
  return [3, 5, 6, 7, 8].includes(Number(type));
}

/** The file behind `attachment://name`. */
export function findAttached(address: string, files: readonly StoredFile[]): StoredFile | undefined {
  if (!address.startsWith("attachment://")) return undefined;
  return files.find((file) => file.name === address.slice("attachment://".length));
}

/** The images, clips and files of components, each with whether it is hidden. */
export function listMedia(
  components: readonly Json[],
  files: readonly StoredFile[],
  isHidden = false,
): readonly { isSpoiler: boolean }[] {
  return components.flatMap((one) => {
    const own = [one, ...asObjects(one.items)].flatMap(({ media, spoiler }) =>
      listMediaAddresses([{ media }]).map((address) => ({
        isSpoiler:
          isHidden ||
          spoiler === true ||
          (findAttached(address, files)?.name.startsWith("SPOILER_") ?? false),
      })),
    );
    const inner = [...asObjects(one.components), ...asObjects([one.accessory])];
    return [...own, ...listMedia(inner, files, isHidden || (one.type === 17 && one.spoiler === true))];
  });
}
