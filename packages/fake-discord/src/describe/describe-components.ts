import { asObject, asObjects, asText, compact, type Json } from "@koma/fake-chat";
import { type FakeState, signAddress } from "../state/fake-state.ts";
import type { StoredFile } from "../types.ts";
import { findAttached, isSelect, listComponents } from "./list-components.ts";

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

  const describeShown = ({ description = null, spoiler = false, media }: Json): Json => ({
    description,
    spoiler,
    media: describeMedia(media),
  });

  const describe = (component: Json): Json => {
    const base = { type: component.type, id: Number(component.id ?? 0) || createId() };
    const children = () => asObjects(component.components).map(describe);
    if (isSelect(component)) return compact({ ...describeSelect(component), ...base });
    switch (component.type) {
      case 1:
        return { ...base, components: children() };
      case 2: {
        const { custom_id, style, label, disabled, url, emoji } = withoutNulls(component);
        return compact({ ...base, custom_id, style, label, disabled, url, emoji });
      }
      case 9:
        return { ...base, components: children(), accessory: describe(asObject(component.accessory) ?? {}) };
      case 10:
        return { ...base, content: component.content };
      case 11:
        return { ...base, ...describeShown(component) };
      case 12:
        return { ...base, items: asObjects(component.items).map(describeShown) };
      case 14:
        return { ...base, spacing: component.spacing ?? 1, divider: component.divider ?? true };
      case 17: {
        const { accent_color = null, spoiler = false } = component;
        return { ...base, accent_color, spoiler, components: children() };
      }
      default:
        return base;
    }
  };
  return components.map(describe);
}

function describeOneMedia(state: FakeState, address: string, files: readonly StoredFile[]): Json {
  const file = findAttached(address, files);
  if (file === undefined) return { id: "1", url: address, proxy_url: address };
  const url = signAddress(state, file);
  return compact({
    id: file.id,
    url,
    proxy_url: url,
    content_type: file.contentType,
    attachment_id: file.id,
  });
}

function describeSelect(select: Json): Json {
  const { custom_id, placeholder, min_values, max_values, disabled, channel_types, default_values, options } =
    withoutNulls(select);
  return {
    ...{ custom_id, placeholder, disabled, channel_types, default_values },
    min_values: min_values ?? 1,
    max_values: max_values ?? 1,
    options: Array.isArray(options) ? asObjects(options).map(withoutNulls) : undefined,
  };
}

/** The fields that a request may set to null and a response omits. */
function withoutNulls(fields: Json): Json {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}
