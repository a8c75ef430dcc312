/** Which of a person's groups are taken over, by the settings of the source. */
import type { TakenGroups } from '../config/source-settings.js';

export interface FoundGroups {
  /** In the order of the alphabet. */
  names: string[];
  /** There are more than are taken over. */
  isCut: boolean;
}

export function toTakenGroups(names: readonly string[], { only, most }: TakenGroups): FoundGroups {
  const counted = [...new Set(names)].filter((name) => !only || only.includes(name)).sort();
  return { names: counted.slice(0, most), isCut: counted.length > most };
}
