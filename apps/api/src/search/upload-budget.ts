import { type LimitedNetwork, listLimitedNetworks } from "@koma/accounts";
import { ApiError } from "../api-error.ts";

/**
 * The limits of an upload budget. A network is the client network of the callers, or the chat user of a bot.
 */
export type UploadLimits = {
  /** Bytes of all images in memory. */
  poolBytes: number;
  networkBytes: number;
  callerBytes: number;
  /** An upload without new bytes for this long ends. */
  idleMs: number;
  /** Required of every upload while more than half of the pool is in use, after the first five seconds. */
  minimumBytesPerSecond: number;
};

/** The origin of an upload. */
export type UploadSource = { caller: string; network: string };

export type UploadBudget = ReturnType<typeof createUploadBudget>;
/** The memory of one image. `take` throws ApiError `search_busy` or `upload_too_slow`. */
export type ByteShare = { take(bytes: number): void; release(bytes: number): void };

/**
 * Limits the memory of the images that are being received and searched. Slow uploads end before the pool
 * excludes others: a few stalled connections would otherwise block every search.
 */
export function createUploadBudget(limits: UploadLimits, clock: () => number = () => performance.now()) {
  const images = new Set<Image>();
  let timer: NodeJS.Timeout | undefined;

  const sum = (chosen: (image: Image) => boolean) => {
    let bytes = 0;
    for (const image of images) if (chosen(image)) bytes += image.bytes;
    return bytes;
  };
  const sumAll = () => sum(() => true);

  function end(image: Image, detail: string): void {
    image.controller?.abort(new ApiError("upload_too_slow", detail));
    image.upload = undefined;
    image.bytes = 0;
    images.delete(image);
  }

  /** Ends the slowest upload of the network that holds most. False where no upload is under way. */
  function endSlowest(): boolean {
    const bytesByNetwork = new Map<string, number>();
    for (const { upload, network, bytes } of images) {
      if (upload !== undefined) bytesByNetwork.set(network, (bytesByNetwork.get(network) ?? 0) + bytes);
    }
    const [largest] = [...bytesByNetwork].toSorted(([, one], [, other]) => other - one);
    if (largest === undefined || largest[1] === 0) return false;
    const [slowest] = [...images]
      .filter((image) => image.network === largest[0] && image.upload !== undefined && image.bytes > 0)
      .toSorted((one, other) => speedOf(one, clock()) - speedOf(other, clock()));
    if (slowest === undefined) return false;
    end(slowest, "The upload was the slowest one while no memory was left. Try again.");
    return true;
  }

  function checkProgress(): void {
    const at = clock();
    for (const image of [...images]) {
      const { upload } = image;
      if (upload === undefined) continue;
      const receivedBytes = upload.countReceived();
      if (receivedBytes > upload.receivedBytes) {
        upload.receivedBytes = receivedBytes;
        upload.progressAtMs = at;
      }
      if (at - upload.progressAtMs >= limits.idleMs) {
        end(image, `No data arrived for ${limits.idleMs / 1000} seconds.`);
      } else if (
        sumAll() > limits.poolBytes / 2 &&
        at - upload.startedAtMs >= speedFromMs &&
        speedOf(image, at) < limits.minimumBytesPerSecond
      ) {
        const kibibytes = limits.minimumBytesPerSecond / 1024;
        end(image, `The upload had less than ${kibibytes} KiB per second while memory was short.`);
      }
    }
    if (![...images].some(({ upload }) => upload !== undefined)) {
      clearInterval(timer);
      timer = undefined;
    }
  }

  return {
    poolBytes: limits.poolBytes,

    /** Opens the share of one image. Close it when the image is no longer in memory. */
    open({ caller, network }: UploadSource) {
      const networks = listLimitedNetworks(network);
      const image: Image = { caller, network, networks, bytes: 0, controller: undefined, upload: undefined };
      return {
        take(bytes: number): void {
          image.controller?.signal.throwIfAborted();
          const isOver = networks.some(
            (wider) =>
              sum((other) => other.networks.some((one) => one.network === wider.network)) + bytes >
              wider.times * limits.networkBytes,
          );
          if (isOver || sum((other) => other.caller === caller) + bytes > limits.callerBytes) throw busy();
          while (sumAll() + bytes > limits.poolBytes) {
            if (!endSlowest()) throw busy();
            image.controller?.signal.throwIfAborted();
          }
          image.bytes += bytes;
          images.add(image);
        },

        release(bytes: number): void {
          image.bytes = Math.max(0, image.bytes - bytes);
        },

        /**
         * Watches the upload until `finish`. `countReceived` gives the bytes that arrived so far. The signal
         * aborts with an ApiError `upload_too_slow`.
         */
        start(countReceived: () => number): AbortSignal {
          const controller = new AbortController();
          const at = clock();
          const receivedBytes = countReceived();
          image.controller = controller;
          image.upload = {
            countReceived,
            startedAtMs: at,
            progressAtMs: at,
            receivedBytes,
            firstBytes: receivedBytes,
          };
          images.add(image);
          timer ??= setInterval(checkProgress, checkMs).unref();
          return controller.signal;
        },

        /** The upload is complete; it is no longer ended for being slow. */
        finish(): void {
          image.upload = undefined;
        },

        close(): void {
          image.upload = undefined;
          image.bytes = 0;
          images.delete(image);
        },
      };
    },

    /** The bytes of all images in memory. */
    usedBytes: sumAll,

    /** Ends the uploads that are too slow now. Runs every second while uploads are under way. */
    checkProgress,
  };
}

type Image = UploadSource & {
  networks: LimitedNetwork[];
  bytes: number;
  controller: AbortController | undefined;
  upload:
    | {
        countReceived: () => number;
        startedAtMs: number;
        progressAtMs: number;
        receivedBytes: number;
        firstBytes: number;
      }
    | undefined;
};

const checkMs = 1000;
const speedFromMs = 5000;

function speedOf({ upload }: Image, at: number): number {
  if (upload === undefined) return Number.POSITIVE_INFINITY;
  const seconds = Math.max(at - upload.startedAtMs, 1) / 1000;
  return (upload.countReceived() - upload.firstBytes) / seconds;
}

function busy(): ApiError {
  return new ApiError("search_busy", "Too many images are being uploaded. Try again in a moment.", {
    retryAfterSeconds: 2,
  });
}
