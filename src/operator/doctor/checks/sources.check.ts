/**
 * Checks whether the user sources can be used, and whether their people have the attributes and groups that the settings name. Finds
 * usernames that also exist in other sources or accounts.
 */
import { pino } from 'pino';
import { AccountAttributes } from '../../../accounts/attributes/account-attributes.js';
import { ConfigError, type Config } from '../../../config/config.js';
import { isNeverQueried } from '../../../config/stored-sources.js';
import { isDemoSource } from '../../../config/demo-source.js';
import { Keys, randomToken } from '../../../config/keys.js';
import type { SourceSettings } from '../../../config/source-settings.js';
import { foldText } from '../../../contract/folded-text.js';
import { createUserSources } from '../../../sources/create-user-sources.js';
import type { UserSources } from '../../../sources/user-sources.js';
import type { SourceInspection } from '../../../sources/user-source.port.js';
import type { Check } from '../check.js';
import type { Examination } from '../examination.js';
import { formatCount, fault, hint, ok, type Finding } from '../finding.js';

const MAX_PEOPLE = 5000;
const MAX_NAMES = 10;

interface InspectedSource {
  settings: SourceSettings;
  inspection: SourceInspection;
}

export const sourcesCheck: Check = {
  title: 'User sources',
  async run(examination) {
    const { config, faults } = examination;
    if (faults.some((text) => text.startsWith('USER_SOURCES')) && config.sources.every((source) => isDemoSource(source, config)))
      return [UNCHECKED_HINT];
    const userSources = createSourcesOrFindings(examination);
    if (Array.isArray(userSources)) return userSources;
    try {
      const inspectedSources = await inspectAll(userSources, config.sources, MAX_PEOPLE);
      const isStopped = config.embedded && !(await examination.isRunning());
      return [
        ...inspectedSources.flatMap((source) =>
          isStopped && isDemoSource(source.settings, config) ? [DEMO_STOPPED_HINT] : checkSource(source),
        ),
        ...inspectedSources.flatMap((source) => [
          ...findMissingAttributes(source),
          ...checkGroups(source),
          ...findUnfitAttributes(source, config),
        ]),
        ...findSharedNames(inspectedSources),
        ...(await checkAccounts(inspectedSources, examination)),
      ];
    } finally {
      await userSources.close();
    }
  },
};

function inspectAll(userSources: UserSources, sources: readonly SourceSettings[], maxPeople: number): Promise<InspectedSource[]> {
  return Promise.all(
    sources.map(async (settings) => {
      const inspection = await userSources.find(settings.id)?.inspect(maxPeople);
      return { settings, inspection: inspection ?? { servers: [], usernames: [] } };
    }),
  );
}

/** Checks whether the sources and their groups can be used, without reading all people of the sources. */
export async function checkReach(userSources: UserSources, sources: readonly SourceSettings[]): Promise<Finding[]> {
  const inspectedSources = await inspectAll(userSources, sources, 1);
  return inspectedSources.flatMap((source) => [...checkSource(source), ...checkGroups(source)]);
}

/** Opens the sources. An invalid filter, which would prevent the start, becomes a finding. */
function createSourcesOrFindings({ config, parts }: Examination): UserSources | Finding[] {
  try {
    return createUserSources(config.sources, {
      clock: parts.clock,
      log: pino({ level: 'silent' }),
      // Before the first start there is no secret yet; a service refuses requests that are signed with another key.
      keys: new Keys(config.secrets.length > 0 ? config.secrets : [randomToken()]),
      publicUrl: config.publicUrl,
    });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.faults.map((text) => fault(`${text}.`, 'Correct the setting: the gateway does not start with it.'));
  }
}

const DEMO_STOPPED_HINT = hint(
  'The example user source runs only while Foyer runs.',
  'Start Foyer (npm start), then run the doctor again.',
);

const UNCHECKED_HINT = hint(
  'No user source was checked, because USER_SOURCES has a fault.',
  'Correct the fault that is shown under "Settings", then run the doctor again.',
);

/** The members to check if a source of this type cannot be used. */
const REACH_FIXES = {
  ldap: 'Check urls, ca, bind_dn and bind_password',
  http: 'Check url, issuer, jwks_url or secret, ca, the clocks, and the log of the service',
} as const;

function checkSource({ settings: { id, type }, inspection: { servers, search } }: InspectedSource): Finding[] {
  const location = `of "${id}" in USER_SOURCES`;
  const faults = servers.flatMap(({ address, fault: reason }) =>
    reason === undefined
      ? []
      : [fault(`The source ${id} cannot be used at ${address} (${reason}).`, `${REACH_FIXES[type]} ${location}.`)],
  );
  if (!search) return faults;
  if (search !== 'not-listed' && 'fault' in search)
    return [...faults, fault(`The source ${id} cannot be searched (${search.fault}).`, `Check base and filter ${location}.`)];
  const answeringServers = servers
    .filter((server) => server.fault === undefined)
    .map(({ address, encryption }) => `${address}, ${encryption === 'none' ? 'not encrypted' : encryption}`);
  if (search === 'not-listed')
    return [
      ok(`The source ${id} answers (${answeringServers.join('; ')}), and Foyer and the service accept each other's signatures.`),
    ];
  if (search.people === 0) return [...faults, hint(`The source ${id} has no people.`, `Check base and filter ${location}.`)];
  const people = `${search.isComplete ? '' : 'more than '}${toPeople(search.people)}`;
  return [...faults, ok(`The source ${id} answers (${answeringServers.join('; ')}) and has ${people}.`)];
}

function findMissingAttributes({ settings: { id }, inspection: { search, missingAttributes = [] } }: InspectedSource): Finding[] {
  const peopleCount = typeof search === 'object' && 'people' in search ? search.people : 0;
  return missingAttributes.map(({ setting, attribute, people, isNeeded }) => {
    const lack =
      people === peopleCount
        ? `Nobody in the source ${id} has`
        : `${toPeople(people)} in the source ${id} ${people === 1 ? 'lacks' : 'lack'}`;
    const what = `${lack} ${attribute} (${setting})${isNeeded ? ', which a first sign-in requires' : ''}.`;
    const fix = `Check ${setting} of "${id}" in USER_SOURCES, and what the search account may read.`;
    return isNeeded && people === peopleCount ? fault(what, fix) : hint(what, fix);
  });
}

function checkGroups({ settings: { id }, inspection: { groups } }: InspectedSource): Finding[] {
  if (!groups) return [];
  const fix = `Check groups of "${id}" in USER_SOURCES, and what the search account may read.`;
  if ('fault' in groups)
    return [fault(`The groups of the source ${id} cannot be searched (${groups.fault}): none of its people can sign in.`, fix)];
  if (groups.isEmpty) return [hint(`The source ${id} has no groups.`, fix)];
  return groups.missingAttributes.map(({ setting, attribute }) =>
    hint(`No group of the source ${id} has ${attribute} (groups: ${setting}).`, fix),
  );
}

/** Reports which attributes do not fit the schema, without their values. */
function findUnfitAttributes({ settings: { id }, inspection: { attributes = [] } }: InspectedSource, config: Config): Finding[] {
  const schema = new AccountAttributes(config);
  const faults = new Map<string, number>();
  for (const texts of attributes) {
    const values = Object.entries(schema.fromTexts(texts)).filter(([, value]) => value !== null);
    const schemaFault = schema.findFault(Object.fromEntries(values));
    if (!schemaFault) continue;
    const what = `${schemaFault.pointer} ${schemaFault.message}`;
    faults.set(what, (faults.get(what) ?? 0) + 1);
  }
  return [...faults].map(([what, people]) =>
    hint(
      `${toPeople(people)} of the source ${id} ${people === 1 ? 'has' : 'have'} attributes that do not fit ACCOUNT_SCHEMA: ${what}.`,
      `A sign-in omits such a value, and creates no account if the value is required. Correct the source, attributes of "${id}" in USER_SOURCES, or ACCOUNT_SCHEMA.`,
    ),
  );
}

function findSharedNames(inspectedSources: readonly InspectedSource[]): Finding[] {
  return inspectedSources.flatMap(({ settings, inspection }, index) => {
    const earlierSourceByName = new Map(
      inspectedSources
        .slice(0, index)
        .flatMap((source) => source.inspection.usernames.map((name) => [foldText(name), source.settings.id])),
    );
    const sharedNames = inspection.usernames.filter((name) => earlierSourceByName.has(foldText(name)));
    if (sharedNames.length === 0) return [];
    const sources = [...new Set(sharedNames.map((name) => earlierSourceByName.get(foldText(name)) ?? ''))];
    return [
      hint(
        `${toCount(sharedNames)} of the source ${settings.id} ${sharedNames.length === 1 ? 'is' : 'are'} also in ${sources.join(', ')}, which ${sources.length === 1 ? 'comes' : 'come'} first: ${toNameList(sharedNames)}.`,
        'Foyer queries the sources in the order of USER_SOURCES. Configure one of them so that its people sign in with other names (login).',
      ),
    ];
  });
}

/** Returns no findings if the database cannot be read, such as an embedded one in use, which only one process can open. */
async function checkAccounts(inspectedSources: readonly InspectedSource[], examination: Examination): Promise<Finding[]> {
  const { inspection: database } = await examination.database();
  if (database.state !== 'open') return [];
  const { linkedCounts, migratedCounts, ownNames } = database.sourceAccounts;
  // `providers.check.ts` checks accounts that belong to providers.
  const missingSources = Object.entries(linkedCounts).filter(
    ([id]) => !isNeverQueried(id) && !inspectedSources.some(({ settings }) => settings.id === id),
  );
  const accountNames = new Set(ownNames);
  return [
    ...missingSources.map(([id, count]) =>
      fault(
        `${formatCount(count, 'account belongs', 'accounts belong')} to the source ${id}, which is not configured: nobody can sign in to ${count === 1 ? 'it' : 'them'} by password.`,
        'Add the source to USER_SOURCES again, with the same id, or unlink the accounts from it (foyer account unlink).',
      ),
    ),
    ...Object.entries(migratedCounts).map(([id, count]) => {
      const note =
        linkedCounts[id] === undefined
          ? ''
          : `; ${formatCount(linkedCounts[id], 'account still has its password', 'accounts still have their passwords')} there`;
      const passwords = count === 1 ? 'The password of 1 account was' : `The passwords of ${count} accounts were`;
      return ok(`${passwords} copied here from the source ${id}${note}.`);
    }),
    ...inspectedSources.flatMap(({ settings: { id }, inspection: { usernames } }) => {
      const takenNames = usernames.filter((name) => accountNames.has(foldText(name)));
      if (takenNames.length === 0) return [];
      return [
        hint(
          `${toCount(takenNames)} of the source ${id} ${takenNames.length === 1 ? 'is' : 'are'} taken by accounts that do not belong to it: ${toNameList(takenNames)}.`,
          'The people of the source with these names cannot sign in. Delete the accounts, or let their owners change the username in the account area.',
        ),
      ];
    }),
  ];
}

const toPeople = (count: number): string => formatCount(count, 'person', 'people');

const toCount = (names: readonly string[]): string => formatCount(names.length, 'name', 'names');

function toNameList(names: readonly string[]): string {
  const list = names.slice(0, MAX_NAMES).join(', ');
  return names.length > MAX_NAMES ? `${list} and ${names.length - MAX_NAMES} more` : list;
}
