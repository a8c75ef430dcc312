/**
 * Builds the rows of the activity page. Equal events in succession become one row, unless more than an hour lies between two of them. A
 * row names its network only if the network differs from the network of the rows above.
 */
import type { ActivityState } from '../../src/contract/manage-data-state.js';

export interface ActivityRow {
  /** The newest event of the row. */
  entry: ActivityState;
  count: number;
  /** Time of the oldest event of the row: ISO 8601, UTC. */
  since: string;
  /**
   * Absent if the event has no network, or the same network as the nearest row above that has one. The first row with a network is
   * compared with the current network.
   */
  network?: string;
}

/** The longest time between two successive events of one row. */
const MAX_GAP_MS = 3_600_000;

/** @param entries newest first */
export function toActivityRows(entries: readonly ActivityState[]): ActivityRow[] {
  const rows: ActivityRow[] = [];
  let lastNetwork: { network: string | undefined; isHere: boolean } = { network: undefined, isHere: true };
  for (const entry of entries) {
    const [row] = rows.slice(-1);
    if (row && isSame(row.entry, entry) && Date.parse(row.since) - Date.parse(entry.at) <= MAX_GAP_MS) {
      row.count += 1;
      row.since = entry.at;
      continue;
    }
    const { network, is_this_network: isHere = false } = entry;
    const isOtherNetwork = network !== undefined && !(isHere ? lastNetwork.isHere : network === lastNetwork.network);
    rows.push({ entry, count: 1, since: entry.at, ...(isOtherNetwork ? { network } : {}) });
    if (network !== undefined) lastNetwork = { network, isHere };
  }
  return rows;
}

function isSame(entry: ActivityState, otherEntry: ActivityState): boolean {
  return toComparableText(entry) === toComparableText(otherEntry);
}

function toComparableText({ id: _id, at: _at, ...rest }: ActivityState): string {
  return JSON.stringify(Object.entries(rest).sort(([name], [otherName]) => name.localeCompare(otherName)));
}
