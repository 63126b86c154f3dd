/** The environment of ffmpeg and ffprobe: the user's, without what would change their output or make them crash. */
export function toolEnvironment(): NodeJS.ProcessEnv {
  const { FFREPORT: _report, AV_LOG_FORCE_COLOR: _color, ...rest } = process.env;
  return {
    ...rest,
    AV_LOG_FORCE_NOCOLOR: "1",
    // The statically linked ffprobe of npm crashes on every MPEG-TS when it loads the machine's character tables
    // (for the programme's name); without tables it goes on.
    GCONV_PATH: "/nonexistent",
  };
}
