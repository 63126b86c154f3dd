/** Invalid environment variables; the message has a line for each. */
export class ConfigurationError extends Error {
  override name = "ConfigurationError";
  readonly problems: { variable: string; message: string }[];

  constructor(problems: { variable: string; message: string }[]) {
    super(
      ["The configuration is invalid:", ...problems.map((p) => `  ${p.variable} ${p.message}`)].join("\n"),
    );
    this.problems = problems;
  }
}
