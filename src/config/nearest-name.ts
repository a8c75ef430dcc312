/** Finds the known name that is most similar to a misspelled name. */

export interface Nearest {
  nearest: string;
  /** Number of letters to insert, remove, change, or swap with the next letter. */
  distance: number;
}

/** @param names at least one */
export function findNearest(name: string, names: readonly string[]): Nearest {
  return names
    .map((nearest) => ({ nearest, distance: measureDistance(name, nearest) }))
    .reduce((best, next) => (next.distance < best.distance ? next : best));
}

/** Computes the optimal string alignment distance. */
function measureDistance(from: string, to: string): number {
  let previousRow: number[] = [];
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let index = 0; index < from.length; index++) {
    const next = [index + 1];
    for (let column = 0; column < to.length; column++) {
      const replacement = (row[column] ?? 0) + (from[index] === to[column] ? 0 : 1);
      const isSwapped = from[index] === to[column - 1] && from[index - 1] === to[column];
      const swap = isSwapped ? (previousRow[column - 1] ?? 0) + 1 : Infinity;
      next.push(Math.min(replacement, swap, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    previousRow = row;
    row = next;
  }
  return row[to.length] ?? Infinity;
}
