import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/**
 * The environment of ffmpeg and ffprobe: that of the user without variables that change their output or crash
 * them.
 */
export function toolEnvironment(): NodeJS.ProcessEnv {
  const { FFREPORT: _report, AV_LOG_FORCE_COLOR: _color, ...rest } = process.env;
  return { ...rest, ...untrustedEnvironment() };
}

/**
 * The environment for videos of an untrusted origin: without the variables of the user, which may contain
 * tokens.
 */
export function untrustedEnvironment(): NodeJS.ProcessEnv {
  return {
    AV_LOG_FORCE_NOCOLOR: "1",
    // The statically linked ffprobe of npm crashes on every MPEG-TS when it loads the machine's character
    // tables (for the programme's name); without tables it continues.
    GCONV_PATH: "/nonexistent",
  };
}

/**
 * Returns the full path of a command: without PATH in its environment a shell would search default
 * directories.
 */
export function resolveCommand(command: string): string {
  if (command.includes("/")) return command;
  const directories = (process.env.PATH ?? "").split(delimiter).filter((directory) => directory !== "");
  return directories.map((directory) => join(directory, command)).find((path) => existsSync(path)) ?? command;
}
