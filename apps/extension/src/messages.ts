import type { Match, SearchOutcome, SearchResult } from "@koma/contract";
import type { Failure } from "./failure.ts";

/** The source of the query: an image on the page, the current frame of a video, or a region of the tab. */
export type Source = "image" | "video" | "region";

/** A rectangle in CSS pixels of the tab's viewport. */
export type Rectangle = { x: number; y: number; width: number; height: number };

/** A rectangle with the size of the viewport that it refers to. */
export type Area = { rectangle: Rectangle; viewport: { width: number; height: number } };

/** A frame's data about an image: its bytes if the page may read them, and its visible area. */
export type PageImage = { dataUrl?: string | undefined; area?: Area | undefined };

/** A request to the script in a page. */
export type PageRequest =
  | { kind: "readImage" | "readVideo"; srcUrl: string }
  | {
      kind: "selectRegion";
      /** Starts with the player of the page selected. */
      suggestion?: "player" | undefined;
      /** The frame in which that player is. */
      frameUrl?: string | undefined;
    }
  | { kind: "setPanelHidden"; isHidden: boolean }
  | { kind: "showPanel"; jobId: string };

/** `undefined`: no such image on the page, or the selection was cancelled. */
export type PageResponse = PageImage | undefined;

/** A request of the panel to the background. */
export type PanelRequest =
  | { kind: "getJob"; jobId: string }
  | { kind: "search"; jobId: string }
  | { kind: "loadPreview"; jobId: string; rank: number; what: "still" | "clip" }
  | { kind: "capture"; jobId: string; source: Exclude<Source, "image"> }
  | { kind: "openSettings"; jobId: string };

/** What the panel shows of a job before its search. */
export type JobView = { imageDataUrl?: string | undefined; canCapture: boolean; isSearchable: boolean };

/** The result of a search as the panel shows it. */
export type PanelResult = {
  outcome: SearchOutcome;
  matches: readonly Match[];
  /** The page of this search on the server. */
  searchUrl: string;
  serverHost: string;
  quota: SearchResult["quota"];
};

/** The response to a `search`. */
export type SearchResponse = { result: PanelResult } | { failure: Failure };

/** A request of the panel to the page around it, by `postMessage`. */
export type FrameMessage = { koma: "height"; height: number } | { koma: "close" };
