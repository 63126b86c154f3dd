/** Options of a task that takes long. */
export type ProgressOptions = {
  onProgress?: ((progress: { done: number; total: number }) => void) | undefined;
  signal?: AbortSignal | undefined;
};
