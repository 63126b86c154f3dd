import { loadSiteTexts, useSiteTexts } from "../state/site-texts.ts";

/** Loads the texts of the examples. */
export async function loadExampleImages() {
  await loadSiteTexts();
  return ExampleImages;
}

/** Images that a search finds, and images that it does not find (scripts/draw-examples.mjs). */
export function ExampleImages({ heading = "h2" }: { heading?: "h2" | "h3" }) {
  const text = useSiteTexts();
  return (
    <div class="example-images">
      <Group
        heading={heading}
        title={text("site.examples.works")}
        images={[
          [addresses.whole, text("site.examples.whole")],
          [addresses.caption, text("site.examples.caption")],
          [addresses.screen, text("site.examples.screen")],
        ]}
      />
      <Group
        heading={heading}
        title={text("site.examples.fails")}
        images={[
          [addresses.blurred, text("site.examples.blurred")],
          [addresses.covered, text("site.examples.covered")],
          [addresses.drawing, text("site.examples.drawing")],
        ]}
      />
    </div>
  );
}

function Group(props: {
  heading: "h2" | "h3";
  title: string;
  images: readonly (readonly [string, string])[];
}) {
  const { heading: Heading, title, images } = props;
  const text = useSiteTexts();
  return (
    <section>
      <Heading>{title}</Heading>
      <ul>
        {images.map(([address, what]) => (
          <li key={address}>
            <img
              src={address}
              alt={text("site.examples.alt", { what })}
              width="320"
              height="180"
              loading="lazy"
              decoding="async"
            />
            <span>{what}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

const addresses = {
  whole: new URL("../examples/whole.webp", import.meta.url).href,
  caption: new URL("../examples/caption.webp", import.meta.url).href,
  screen: new URL("../examples/screen.webp", import.meta.url).href,
  blurred: new URL("../examples/blurred.webp", import.meta.url).href,
  covered: new URL("../examples/covered.webp", import.meta.url).href,
  drawing: new URL("../examples/drawing.webp", import.meta.url).href,
};
