import { useEffect, useRef } from "preact/hooks";

/** A query image, or the frame of a query video at a time in seconds. */
export function QueryMedia(props: {
  url: string;
  isVideo: boolean;
  label: string;
  atSeconds?: number | undefined;
}) {
  const { url, isVideo, label, atSeconds = 0 } = props;
  const video = useRef<HTMLVideoElement>(null);
  const seek = () => {
    if (video.current) video.current.currentTime = atSeconds;
  };
  useEffect(seek, [atSeconds]);
  if (!isVideo) return <img src={url} alt={label} />;
  return (
    <video
      ref={video}
      src={url}
      aria-label={label}
      muted
      playsInline
      preload="auto"
      onLoadedMetadata={seek}
    />
  );
}
