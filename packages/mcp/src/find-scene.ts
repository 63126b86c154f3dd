import type { Client } from "@koma/client";
import { Match, Quota, SearchOutcome, searchAnime } from "@koma/contract";
import { z } from "zod";
import { ToolInputError } from "./describe-error.ts";

/** Reads an image by a path that the model passes; it rejects paths that the user did not allow. */
export type ReadImageFile = (path: string) => Promise<Uint8Array<ArrayBuffer>>;

const input = {
  imageBase64: z
    .string()
    .optional()
    .describe("The image itself in base64, with or without `data:image/…;base64,`."),
  imageUrl: searchAnime.form.fields.shape.url.describe(
    "The address of a public image, which the server fetches.",
  ),
  imagePath: z.string().optional().describe("The path of a local image."),
  animeId: searchAnime.form.fields.shape.animeId,
};

/** The input of the tool; paths only where local images can be read. */
export function findSceneInput(hasFiles: boolean): typeof input {
  const { imagePath, ...others } = input;
  return (hasFiles ? { ...others, imagePath } : others) as typeof input;
}

/** The output of the tool. Paths of previews are long, and a model cannot open them. */
export const findSceneOutput = {
  outcome: SearchOutcome,
  matches: z.array(Match.omit({ previewPaths: true })),
  quota: Quota,
};

/** Searches the scene of the one image in the input. Throws ToolInputError and the errors of the client. */
export async function searchScene(
  request: z.infer<z.ZodObject<typeof input>>,
  options: { client: Client; readImageFile?: ReadImageFile | undefined; signal: AbortSignal },
): Promise<z.infer<z.ZodObject<typeof findSceneOutput>>> {
  const { animeId } = request;
  const image = await readImage(request, options.readImageFile);
  // Images in a conversation with an assistant do not belong in public lists.
  const search = { ...image, isPublic: false, ...(animeId !== undefined && { animeId }) };
  const { outcome, matches, quota } = await options.client.searchAnime(search, { signal: options.signal });
  return { outcome, matches: matches.map(({ previewPaths: _paths, ...match }) => match), quota };
}

async function readImage(
  { imageBase64, imageUrl, imagePath }: z.infer<z.ZodObject<typeof input>>,
  readImageFile: ReadImageFile | undefined,
): Promise<{ image: Blob } | { url: string }> {
  const count = [imageBase64, imageUrl, imagePath].filter((part) => part !== undefined).length;
  const names =
    readImageFile === undefined ? "imageBase64 or imageUrl" : "imageBase64, imageUrl or imagePath";
  if (count !== 1) throw new ToolInputError(`Give exactly one of ${names}.`);
  if (imageUrl !== undefined) return { url: imageUrl };
  if (imageBase64 !== undefined) return { image: new Blob([decodeBase64(imageBase64)]) };
  if (imagePath === undefined || readImageFile === undefined) {
    throw new ToolInputError("This server reads no local files.");
  }
  try {
    return { image: new Blob([await readImageFile(imagePath)]) };
  } catch (cause) {
    throw new ToolInputError(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

function decodeBase64(written: string): Uint8Array<ArrayBuffer> {
  const data = written.replace(/^data:[^,]*;base64,/, "");
  try {
    return Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
  } catch (cause) {
    throw new ToolInputError("imageBase64 is not base64.", { cause });
  }
}
