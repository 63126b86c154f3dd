import type { Area, PageRequest, Rectangle } from "../messages.ts";
import { text } from "../texts.ts";
import { createStyled, openLayer } from "./layer.ts";
import { findLargest } from "./read-image.ts";
import { findVisibleArea } from "./visible-area.ts";

type Suggestion = Omit<Extract<PageRequest, { kind: "selectRegion" }>, "kind">;

/** Pixels that an arrow key moves. */
const step = 16;
const shortestSide = 24;
const font = "500 15px/1.5 system-ui, sans-serif";

/** Lets the user select a region of the tab by pointer or keyboard; undefined after a cancellation. */
export async function selectRegion(options: Suggestion): Promise<Area | undefined> {
  const hint = text(options.suggestion === "player" ? "regionHintVideo" : "regionHint");
  const focused = document.activeElement;
  const layer = openLayer("inset: 0; width: 100vw; height: 100vh; background: transparent;");
  const surface = createStyled(
    "div",
    "position: absolute; inset: 0; cursor: crosshair; outline: none; overflow: hidden;",
  );
  surface.tabIndex = 0;
  surface.setAttribute("role", "application");
  surface.setAttribute("aria-label", `${hint} ${text("regionKeys")}`);
  const box = createStyled(
    "div",
    "position: absolute; box-sizing: border-box; border: 2px solid #ff8459; outline: 1px solid #000; " +
      "box-shadow: 0 0 0 100vmax #000a; pointer-events: none;",
  );
  const bar = createBar(hint);
  surface.append(box, bar.element);
  layer.root.append(surface);

  let rectangle = suggest(options) ?? {
    x: innerWidth / 4,
    y: innerHeight / 4,
    width: innerWidth / 2,
    height: innerHeight / 2,
  };
  const draw = (next: Rectangle) => {
    rectangle = next;
    box.style.left = `${next.x}px`;
    box.style.top = `${next.y}px`;
    box.style.width = `${next.width}px`;
    box.style.height = `${next.height}px`;
  };
  draw(rectangle);
  surface.focus();

  try {
    return await new Promise((resolve) => {
      const finish = (isConfirmed: boolean) => {
        resolve(
          isConfirmed ? { rectangle, viewport: { width: innerWidth, height: innerHeight } } : undefined,
        );
      };
      bar.search.addEventListener("click", () => finish(true));
      bar.cancel.addEventListener("click", () => finish(false));
      addEventListener("pagehide", () => finish(false), { once: true });
      followPointer(surface, { draw, finish });
      followKeys(surface, { getRectangle: () => rectangle, draw, finish });
    });
  } finally {
    layer.remove();
    if (focused instanceof HTMLElement) focused.focus();
    await waitForPaint();
  }
}

/** Waits until the screen shows the page as it now is. */
export async function waitForPaint(): Promise<void> {
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
}

type Selection = {
  getRectangle: () => Rectangle;
  draw: (rectangle: Rectangle) => void;
  finish: (isConfirmed: boolean) => void;
};

/** Releasing the pointer confirms, as in programs that take screenshots; a click without a drag does not. */
function followPointer(surface: HTMLElement, { draw, finish }: Omit<Selection, "getRectangle">): void {
  let start: { x: number; y: number } | undefined;
  surface.addEventListener("pointerdown", (event) => {
    if (event.target !== surface || event.button !== 0) return;
    event.preventDefault();
    surface.setPointerCapture(event.pointerId);
    surface.focus();
    start = { x: event.clientX, y: event.clientY };
  });
  const toRectangle = (from: { x: number; y: number }, event: PointerEvent) => {
    const x = Math.max(0, Math.min(from.x, event.clientX));
    const y = Math.max(0, Math.min(from.y, event.clientY));
    const right = Math.min(innerWidth, Math.max(from.x, event.clientX));
    const bottom = Math.min(innerHeight, Math.max(from.y, event.clientY));
    return { x, y, width: right - x, height: bottom - y };
  };
  const isLarge = ({ width, height }: Rectangle) => Math.min(width, height) >= shortestSide;
  surface.addEventListener("pointermove", (event) => {
    if (start === undefined) return;
    const next = toRectangle(start, event);
    if (isLarge(next)) draw(next);
  });
  surface.addEventListener("pointerup", (event) => {
    if (start === undefined) return;
    const next = toRectangle(start, event);
    start = undefined;
    if (!isLarge(next)) return;
    draw(next);
    finish(true);
  });
}

function followKeys(surface: HTMLElement, { getRectangle, draw, finish }: Selection): void {
  const moves: Record<string, [x: number, y: number]> = {
    ArrowLeft: [-step, 0],
    ArrowRight: [step, 0],
    ArrowUp: [0, -step],
    ArrowDown: [0, step],
  };
  surface.addEventListener("keydown", (event) => {
    // Shortcuts of the page, such as the space bar of a player, do not apply here.
    event.stopPropagation();
    if (event.key === "Escape") finish(false);
    if (event.target !== surface) return;
    if (event.key === "Enter") finish(true);
    const move = moves[event.key];
    if (move === undefined) return;
    event.preventDefault();
    const { x, y, width, height } = getRectangle();
    const [right, down] = move;
    draw({
      x: event.shiftKey ? x : clamp(x + right, 0, innerWidth - width),
      y: event.shiftKey ? y : clamp(y + down, 0, innerHeight - height),
      width: event.shiftKey ? clamp(width + right, shortestSide, innerWidth - x) : width,
      height: event.shiftKey ? clamp(height + down, shortestSide, innerHeight - y) : height,
    });
  });
}

function createBar(hint: string) {
  const element = createStyled(
    "div",
    "position: absolute; left: 50%; bottom: 24px; transform: translateX(-50%); display: flex; flex-wrap: wrap; gap: 8px; " +
      "align-items: center; justify-content: center; width: max-content; max-width: calc(100vw - 32px); " +
      "box-sizing: border-box; padding: 10px 14px; " +
      `border-radius: 12px; background: #17161a; color: #f5f1e8; font: ${font}; cursor: default;`,
  );
  const words = createStyled("span", "max-width: 34rem;");
  words.dir = "auto";
  words.append(
    createStyled("b", "display: block; font-weight: 650;", hint),
    createStyled("span", "font-size: 13px; color: #cfc9d0;", text("regionKeys")),
  );
  const search = createButton(text("regionSearch"), "background: #ff8459; color: #26100a;");
  const cancel = createButton(text("regionCancel"), "background: #3a3740; color: #f5f1e8;");
  element.append(words, search, cancel);
  return { element, search, cancel };
}

function createButton(label: string, colors: string): HTMLButtonElement {
  return createStyled(
    "button",
    `${colors} border: 0; border-radius: 8px; padding: 7px 14px; font: ${font}; cursor: pointer;`,
    label,
  );
}

/** The player that the user most likely means: in the frame of the click, else the largest one. */
function suggest({ suggestion, frameUrl }: Suggestion): Rectangle | undefined {
  if (suggestion === undefined) return undefined;
  const isClicked = (element: Element) => element instanceof HTMLIFrameElement && element.src === frameUrl;
  const player = findLargest("iframe", isClicked) ?? findLargest("video, iframe", () => true);
  return player && findVisibleArea(player)?.rectangle;
}

function clamp(value: number, minimum: number, maximum: number): number {
  return Math.min(Math.max(value, minimum), Math.max(minimum, maximum));
}
