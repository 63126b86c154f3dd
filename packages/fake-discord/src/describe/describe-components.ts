import { asObject, asObjects, asText, compact, type Json } from "@koma/fake-chat";
import type { FakeState, StoredFile } from "../state/fake-state.ts";
import { signAddress } from "../state/sign.ts";

/** Components as Discord returns them: with ids, defaults, and media in place of `attachment://` names. */
export function describeComponents(
  state: FakeState,
  components: readonly Json[],
  files: readonly StoredFile[],
): readonly Json[] {
  const takenIds = new Set(listComponents(components).flatMap((one) => Number(one.id ?? 0) || []));
  let latestId = 0;
  const createId = () => {
    do latestId += 1;
    while (takenIds.has(latestId));
    return latestId;
  };
  const describeMedia = (media: unknown): Json =>
    describeOneMedia(state, asText(asObject(media)?.url) ?? "", files);

  const describe = (component: Json): Json => {
    const base = { type: component.type, id: Number(component.id ?? 0) || createId() };
    const children = () => asObjects(component.components).map(describe);
    switch (component.type) {
      case 1:
        return { ...base, components: children() };
      case 2:
        return compact({ ...describeControl(component), ...base });
      case 3:
      case 5:
      case 6:
      case 7:
      case 8:
        return compact({ ...describeSelect(component), ...base });
      case 9:
        return { ...base, components: children(), accessory: describe(asObject(component.accessory) ?? {}) };
      case 10:
        return { ...base, content: component.content };
      case 11:
        return { ...base, ...describeShown(component), media: describeMedia(component.media) };
      case 12:
        return {
          ...base,
          items: asObjects(component.items).map((item) => ({
            ...describeShown(item),
            media: describeMedia(item.media),
          })),
        };
      case 13:
        return { ...base, ...describeFile(component, files), file: describeMedia(component.file) };
      case 14:
        return { ...base, spacing: component.spacing ?? 1, divider: component.divider ?? true };
      case 17:
        return {
          ...base,
          accent_color: component.accent_color ?? null,
          spoiler: component.spoiler ?? false,
          components: children(),
        };
      default:
        return base;
    }
  };
  return components.map(describe);
}

/** Every component of a message in reading order, including nested ones and accessories. */
export function listComponents(components: readonly Json[]): readonly Json[] {
  return components.flatMap((component) => [
    component,
    ...listComponents(asObjects(component.components)),
    ...listComponents(asObjects(component.accessory === undefined ? [] : [component.accessory])),
    ...listComponents(asObjects(component.component === undefined ? [] : [component.component])),
  ]);
}

/** The addresses of all images and files in components. */
export function listMediaAddresses(components: readonly Json[]): readonly string[] {
  return listComponents(components).flatMap((component) =>
    [component.media, component.file, ...asObjects(component.items).map((item) => item.media)].flatMap(
      (media) => asText(asObject(media)?.url) ?? [],
    ),
  );
}

/** The file behind `attachment://name`. */
export function findAttached(address: string, files: readonly StoredFile[]): StoredFile | undefined {
  if (!address.startsWith("attachment://")) return undefined;
  return files.find((file) => file.name === address.slice("attachment://".length));
}

function describeOneMedia(state: FakeState, address: string, files: readonly StoredFile[]): Json {
  const file = findAttached(address, files);
  if (file === undefined) return { id: "1", url: address, proxy_url: address };
  const url = signAddress(state, file);
  return compact({
    id: file.id,
    url,
    proxy_url: url,
    width: file.size?.width ?? null,
    height: file.size?.height ?? null,
    content_type: file.contentType,
    attachment_id: file.id,
  });
}

function describeShown(item: Json): Json {
  return { description: item.description ?? null, spoiler: item.spoiler ?? false };
}

function describeFile(component: Json, files: readonly StoredFile[]): Json {
  const file = findAttached(asText(asObject(component.file)?.url) ?? "", files);
  return { spoiler: component.spoiler ?? false, name: file?.name ?? null, size: file?.bytes.length ?? null };
}

function describeControl(button: Json): Json {
  const emoji = asObject(button.emoji);
  return {
    custom_id: button.custom_id ?? undefined,
    style: button.style,
    label: button.label ?? undefined,
    disabled: button.disabled ?? undefined,
    url: button.url ?? undefined,
    sku_id: button.sku_id ?? undefined,
    emoji: emoji && compact({ id: emoji.id ?? undefined, name: emoji.name }),
  };
}

function describeSelect(select: Json): Json {
  return {
    custom_id: select.custom_id,
    placeholder: select.placeholder ?? undefined,
    min_values: select.min_values ?? 1,
    max_values: select.max_values ?? 1,
    disabled: select.disabled ?? undefined,
    options: Array.isArray(select.options) ? asObjects(select.options).map(describeOption) : undefined,
    channel_types: select.channel_types ?? undefined,
    default_values: select.default_values ?? undefined,
  };
}

function describeOption(option: Json): Json {
  return compact({
    label: option.label,
    value: option.value,
    description: option.description ?? undefined,
    emoji: option.emoji ?? undefined,
    default: option.default ?? undefined,
  });
}
