/**
 * An element above everything in the page, a video in full screen included, whose content the page cannot
 * reach.
 */
export type Layer = {
  root: ShadowRoot;
  host: HTMLElement;
  /** Moves it above layers that were opened later. */
  raise: () => void;
  remove: () => void;
};

/** Opens a layer. Its styles are set on the elements, since the page's policy may forbid style sheets. */
export function openLayer(styles: string): Layer {
  const host = document.createElement("koma-layer");
  host.style.cssText = `all: initial; position: fixed; margin: 0; padding: 0; border: 0; overflow: hidden; ${styles}`;
  host.popover = "manual";
  const root = host.attachShadow({ mode: "closed" });
  document.documentElement.append(host);
  const raise = () => {
    if (host.matches(":popover-open")) host.hidePopover();
    host.showPopover();
  };
  raise();
  document.addEventListener("fullscreenchange", raise);
  return {
    root,
    host,
    raise,
    remove() {
      document.removeEventListener("fullscreenchange", raise);
      host.remove();
    },
  };
}

/** Creates an element with styles. */
export function createStyled<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  styles: string,
  content = "",
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  element.style.cssText = styles;
  element.textContent = content;
  return element;
}
