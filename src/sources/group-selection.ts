/** Selects the groups of a person that become groups of the account, by the settings of the source. */
import type { GroupSelection } from '../config/source-settings.js';

export interface FoundGroups {
  /** Sorted. */
  names: string[];
  /** The person has more groups than the setting `most` or a limit of the source allows; the other groups are left out. */
  isCut: boolean;
}

export function selectGroups(names: readonly string[], { only, most }: GroupSelection): FoundGroups {
  const selectedNames = [...new Set(names)].filter((name) => !only || only.includes(name)).sort();
  return { names: selectedNames.slice(0, most), isCut: selectedNames.length > most };
}
