// One byte per label.

import { allocate, LABELS_PER_CHUNK, labelCapacity, STATE_CHUNKS, setLabelCapacity } from "./layout";

/** Makes room for the states of the labels below `end`; those of new labels are 0. */
export function reserve(end: u32): void {
  for (let capacity = labelCapacity(); capacity < end; capacity += LABELS_PER_CHUNK) {
    store<u32>(STATE_CHUNKS + ((capacity / LABELS_PER_CHUNK) << 2), allocate(LABELS_PER_CHUNK));
    setLabelCapacity(capacity + LABELS_PER_CHUNK);
  }
}

function addressOf(label: u32): u32 {
  return load<u32>(STATE_CHUNKS + ((label / LABELS_PER_CHUNK) << 2)) + (label % LABELS_PER_CHUNK);
}

export function stateOf(label: u32): u8 {
  return load<u8>(addressOf(label));
}

/** Replaces the states of labels from `first` up to `end` that are `from`. */
export function replaceStates(first: u32, end: u32, from: u8, to: u8): void {
  for (let label = first; label < end; label++) {
    const address = addressOf(label);
    if (load<u8>(address) === from) store<u8>(address, to);
  }
}
