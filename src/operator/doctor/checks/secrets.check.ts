/**
 * Finds secrets that are missing, weak, samples or reused, old secrets that can be removed, a file of secrets that others can read, and
 * data that no secret can decrypt. Never shows a secret.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { Keys } from '../../../config/keys.js';
import type { Check } from '../check.js';
import type { Examination } from '../examination.js';
import { fault, hint, ok, type Finding } from '../finding.js';
import { isAboutSecrets, toName } from './setting-names.js';

const SECRETS_FILE = 'secrets.json';
/** `settings.check.ts` reports the faults of other secrets. */
const NO_FINDING = 'No fault was found in SECRETS_SYSTEM, OPERATOR_TOKEN, OPERATOR_TOKENS and HYDRA_ADMIN_TOKEN.';
/** The permissions of all users except the owner. */
const OTHERS_MODE = 0o077;

export const secretsCheck: Check = {
  title: 'Secrets',
  async run(examination) {
    const findings = [
      ...findWeakSecrets(examination),
      ...findOldSecrets(examination),
      ...findReadableFile(examination),
      ...(await findLostSeeds(examination)),
    ];
    return findings.length > 0 ? findings : [ok(NO_FINDING)];
  },
};

function findWeakSecrets({ faults, warnings }: Examination): Finding[] {
  return [
    ...faults.filter(isAboutSecrets).map((text) => fault(`${text}.`, toFix(text))),
    // Weak secrets are accepted outside production, so that a first attempt does not fail.
    ...warnings.filter(isAboutSecrets).map((text) => hint(`${text}; production refuses it.`, toFix(text))),
  ];
}

function findOldSecrets({ config }: Examination): Finding[] {
  const count = config.secrets.length - 1;
  if (count < 1) return [];
  return [
    hint(
      `SECRETS_SYSTEM lists ${count} older secret${count === 1 ? '' : 's'} after the newest.`,
      'A day after a rotation, an older secret is needed only for recovery codes that were created with it; remove the secret when these codes have been replaced.',
    ),
  ];
}

/**
 * Among the newest thousand authenticator apps, finds those whose seed no secret can decrypt, so that their codes are refused: the
 * database was written with other secrets, or an old secret was removed too early.
 */
async function findLostSeeds(examination: Examination): Promise<Finding[]> {
  const { secrets } = examination.config;
  const { inspection } = await examination.database();
  if (inspection.state !== 'open' || secrets.length === 0) return [];
  const keys = new Keys(secrets);
  const lostCount = inspection.seeds.filter((seed) => keys.openKept('totp-seed', seed) === null).length;
  if (lostCount === 0) return [];
  return [
    fault(
      `${lostCount} of ${inspection.seeds.length} checked authenticator apps ${lostCount === 1 ? 'was' : 'were'} set up with a secret that is no longer in SECRETS_SYSTEM, so ${lostCount === 1 ? 'its' : 'their'} codes are refused.`,
      'Add that secret at the end of SECRETS_SYSTEM again, and restart Foyer.',
    ),
  ];
}

function findReadableFile({ config }: Examination): Finding[] {
  const path = join(config.database.dataDir, SECRETS_FILE);
  const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0;
  if (config.mode === 'production' || (mode & OTHERS_MODE) === 0) return [];
  return [fault(`${path} can be read by other users of this machine.`, `Run: chmod 600 ${path}`)];
}

function toFix(text: string): string {
  const name = toName(text);
  if (name.startsWith('HYDRA_')) return `Correct ${name} or ${name}_FILE; no other setting may contain the same token.`;
  if (name === 'OPERATOR_TOKENS')
    return `Correct ${name} or ${name}_FILE (docs/settings.md); generate each token with openssl rand -base64 32.`;
  if (name === 'OPERATOR_TOKEN') return `Generate a new token (openssl rand -base64 32), and set ${name} or ${name}_FILE to it.`;
  return `Generate a new secret (openssl rand -base64 32), and set ${name} or ${name}_FILE to it; if the old secret is in use, list it after the new one.`;
}
