import { useEffect, useRef, useState } from "preact/hooks";

/**
 * The number of stills that load at a time. The server can take seconds to cut one, and over HTTP/1.1 a browser
 * opens six connections to a host: with more, a confirmation would wait for the stills.
 */
const mostLoading = 3;
const loading = new Set<() => void>();
const waiting = new Set<() => void>();

/** Calls `begin` when fewer than three stills load. The returned function ends the slot or the wait for it. */
function takeSlot(begin: () => void): () => void {
  waiting.add(begin);
  startNext();
  return () => {
    waiting.delete(begin);
    loading.delete(begin);
    startNext();
  };
}

function startNext(): void {
  for (const begin of waiting) {
    if (loading.size >= mostLoading) return;
    waiting.delete(begin);
    loading.add(begin);
    begin();
  }
}

type Props = {
  src: string;
  alt: string;
  class?: string;
  width?: string;
  height?: string;
  onLoad?: (event: { currentTarget: HTMLImageElement }) => void;
  onError?: () => void;
  onClick?: () => void;
};

/** A still, which loads in its slot when it is near the visible part of the page; the former one stays until then. */
export function Still({ src, alt, onError, ...props }: Props) {
  const [shown, setShown] = useState<string>();
  const element = useRef<HTMLImageElement>(null);
  useEffect(() => {
    const image = new Image();
    let end = () => {};
    image.onload = () => {
      setShown(src);
      end();
    };
    image.onerror = () => {
      onError?.();
      end();
    };
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        observer.disconnect();
        end = takeSlot(() => {
          image.src = src;
        });
      },
      { rootMargin: "200px" },
    );
    if (element.current !== null) observer.observe(element.current);
    return () => {
      observer.disconnect();
      image.onload = null;
      image.onerror = null;
      // Ends the request.
      image.src = "";
      end();
    };
  }, [src]);
  return <img {...props} ref={element} alt={alt} decoding="async" src={shown} />;
}
