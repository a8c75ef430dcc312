/** Checks the SCIM sources: whether they send people, whether calls were refused, and whether their people can sign in. */
import { findScimId, toScimSource } from '../../../config/stored-sources.js';
import type { ScimSettings } from '../../../config/source-settings.js';
import type { ScimInspection } from '../../../database/inspection/inspect-scim.js';
import { findScimFindings } from '../../api/scim-states.js';
import type { Check } from '../check.js';
import { formatCount, hint, type Finding } from '../finding.js';

export const scimCheck: Check = {
  title: 'SCIM sources',
  async run(examination) {
    const { inspection } = await examination.database();
    if (inspection.state !== 'open') return [];
    const { scim: sources } = examination.config;
    const { linkedCounts } = inspection.sourceAccounts;
    const missingFindings = Object.entries(linkedCounts).flatMap(([source, count]) => {
      const id = findScimId(source);
      return id === null || sources.some((one) => one.id === id) ? [] : [toMissingFinding(id, count)];
    });
    return [...missingFindings, ...sources.flatMap((settings) => checkSource(settings, inspection.scim, inspection.time))];
  },
};

function toMissingFinding(id: string, count: number): Finding {
  return hint(
    `${formatCount(count, 'account belongs', 'accounts belong')} to the SCIM source ${id}, which is not in USER_SOURCES.`,
    'Add the source again, or unlink the accounts: foyer account unlink.',
  );
}

function checkSource(settings: ScimSettings, { sources, peopleWithoutWay }: ScimInspection, now: Date): Finding[] {
  const { id, name = id, signIn, password } = settings;
  const source = toScimSource(id);
  const { lastAt = null, faultCount = 0 } = sources[source] ?? {};
  const groups = peopleWithoutWay.filter((group) => group.source === source);
  const blockedGroups = groups.filter(
    ({ hasPassword, hasExternalId }) => !(password && hasPassword) && !(signIn && hasExternalId),
  );
  const count = blockedGroups.reduce((sum, { people }) => sum + people, 0);
  return [
    ...findScimFindings({ id, name, refused: faultCount, lastAt, now }),
    ...(count === 0 ? [] : [hint(`${formatCount(count, 'person', 'people')} of ${name} cannot sign in yet.`, toFix(settings))]),
  ];
}

function toFix({ id, signIn, password }: ScimSettings): string {
  if (signIn && password) return `Configure the source ${id} to send an externalId, or invite the people: foyer account invite.`;
  if (signIn)
    return `Configure the source ${id} to send an externalId that equals the claim ${signIn.claim} of ${signIn.provider}.`;
  if (password) return 'Invite the people: foyer account invite.';
  return `Set sign_in or "password": true for "${id}" in USER_SOURCES.`;
}
