/** A file that is not in the form of anime-offline-database. */
export class MetadataFileError extends Error {
  override readonly name = "MetadataFileError";
}

/** How many anime of the library got metadata, and the titles of those that nothing matched. */
export type MetadataImportResult = { matched: number; unmatched: string[] };
