import { siteText as text } from "../state/site-texts.ts";

/** Images that a search finds, and images that it does not find (scripts/draw-examples.mjs). */
export function ExampleImages({ heading: Heading = "h2" }: { heading?: "h2" | "h3" }) {
  const groups = [
    [text("site.examples.works"), ["whole", "caption", "screen"]],
    [text("site.examples.fails"), ["blurred", "covered", "drawing"]],
  ] as const;
  return (
    <div class="example-images">
      {groups.map(([title, names]) => (
        <section key={title}>
          <Heading>{title}</Heading>
          <ul>
            {names.map((name) => (
              <li key={name}>
                <img
                  src={new URL(`../examples/${name}.webp`, import.meta.url).href}
                  alt={text("site.examples.alt", { what: text(`site.examples.${name}`) })}
                  width="320"
                  height="180"
                  loading="lazy"
                  decoding="async"
                />
                <span>{text(`site.examples.${name}`)}</span>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}
