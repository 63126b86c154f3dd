import { type CheckContext, type Finding, ok, problem } from "./finding.ts";

/** Checks that the data folder is writable, or can be created. */
export async function checkDataFolder({ configuration, dataFolder }: CheckContext): Promise<Finding[]> {
  const { KOMA_DATA_DIR: dataDir } = configuration;
  switch (dataFolder.status) {
    case "writable":
      return [ok(dataDir)];
    case "missing":
      return dataFolder.canCreate
        ? [ok(`${dataDir} does not exist yet; the first start creates it.`)]
        : [
            problem(
              `${dataDir} cannot be created because ${dataFolder.parent} is not writable: set KOMA_DATA_DIR to another folder, or create it for the user of Koma.`,
            ),
          ];
    case "not_a_folder":
      return [problem(`${dataDir} is not a folder: set KOMA_DATA_DIR to another path.`)];
    case "not_writable":
      return [
        problem(
          `${dataDir} is not writable (${dataFolder.reason}): make the user of Koma its owner, or free space.`,
        ),
      ];
  }
}
