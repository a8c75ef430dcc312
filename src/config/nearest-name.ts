/** Finds the known name that is most similar to a misspelled name. */

export interface NearestName {
  nearestName: string;
  /** Number of letters to insert, remove, change, or swap with the next letter. */
  distance: number;
}

/** @param names at least one */
export function findNearestName(name: string, names: readonly string[]): NearestName {
  return names
    .map((nearestName) => ({ nearestName, distance: measureDistance(name, nearestName) }))
    .reduce((best, candidate) => (candidate.distance < best.distance ? candidate : best));
}

/** Computes the optimal string alignment distance. */
function measureDistance(name: string, otherName: string): number {
  let previousRow: number[] = [];
  let row = Array.from({ length: otherName.length + 1 }, (_, index) => index);
  for (let index = 0; index < name.length; index++) {
    const nextRow = [index + 1];
    for (let column = 0; column < otherName.length; column++) {
      const replacement = (row[column] ?? 0) + (name[index] === otherName[column] ? 0 : 1);
      const isSwapped = name[index] === otherName[column - 1] && name[index - 1] === otherName[column];
      const swap = isSwapped ? (previousRow[column - 1] ?? 0) + 1 : Infinity;
      nextRow.push(Math.min(replacement, swap, (row[column + 1] ?? 0) + 1, (nextRow[column] ?? 0) + 1));
    }
    previousRow = row;
    row = nextRow;
  }
  return row[otherName.length] ?? Infinity;
}
