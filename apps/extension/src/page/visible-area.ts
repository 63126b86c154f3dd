import type { Area, Rectangle } from "../messages.ts";

/** Smaller parts show too little of a scene. */
const shortestSide = 48;

/**
 * The visible part of an element, in the viewport of the tab. Undefined where it is too small, or where the
 * element is in a frame whose position the page hides from its frames.
 */
export function findVisibleArea(element: Element): Area | undefined {
  let rectangle = toRectangle(element.getBoundingClientRect());
  let view: Window | null = element.ownerDocument.defaultView;
  while (view !== null) {
    rectangle = intersect(rectangle, { x: 0, y: 0, width: view.innerWidth, height: view.innerHeight });
    if (view === view.top) break;
    const frame = findFrameElement(view);
    if (frame === undefined) return undefined;
    const outer = frame.getBoundingClientRect();
    rectangle.x += outer.x + frame.clientLeft;
    rectangle.y += outer.y + frame.clientTop;
    view = frame.ownerDocument.defaultView;
  }
  if (view === null || Math.min(rectangle.width, rectangle.height) < shortestSide) return undefined;
  return { rectangle, viewport: { width: view.innerWidth, height: view.innerHeight } };
}

/** The number of visible CSS pixels of an element in its frame. */
export function countVisiblePixels(element: Element): number {
  const viewport = { x: 0, y: 0, width: innerWidth, height: innerHeight };
  const { width, height } = intersect(toRectangle(element.getBoundingClientRect()), viewport);
  return width * height;
}

function toRectangle({ x, y, width, height }: DOMRect): Rectangle {
  return { x, y, width, height };
}

function intersect(one: Rectangle, other: Rectangle): Rectangle {
  const x = Math.max(one.x, other.x);
  const y = Math.max(one.y, other.y);
  const width = Math.max(0, Math.min(one.x + one.width, other.x + other.width) - x);
  const height = Math.max(0, Math.min(one.y + one.height, other.y + other.height) - y);
  return { x, y, width, height };
}

/** Undefined for a frame of another site, where the browser gives null or throws. */
function findFrameElement(view: Window): Element | undefined {
  try {
    return view.frameElement ?? undefined;
  } catch {
    return undefined;
  }
}
