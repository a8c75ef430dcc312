/** What the start would say of the settings, before anything is asked over the network. Secrets have a check of their own. */
import type { Check } from '../check.js';
import { fault, hint, ok } from '../finding.js';
import { isAboutSecrets, nameOf, sentenceOf } from './setting-names.js';

export const settingsCheck: Check = {
  title: 'Settings',
  run: ({ config, faults, warnings }) => {
    const findings = [
      ...faults.filter((text) => !isAboutSecrets(text)).map((text) => fault(sentenceOf(text), fixOf(text))),
      ...warnings.filter((text) => !isAboutSecrets(text)).map((text) => hint(sentenceOf(text), fixOf(text))),
    ];
    return Promise.resolve(findings.length > 0 ? findings : [ok(`Every setting can be used (${config.mode}).`)]);
  },
};

function fixOf(text: string): string {
  if (text.includes('is not a setting')) return `Spell it as docs/settings.md does, or take it out of the environment.`;
  const [, other] = / goes together with (?:a ratio in )?([A-Z_]+(?:=\w+)?)/.exec(text) ?? [];
  if (other !== undefined) return `Set ${other} too, or take ${nameOf(text)} out of the environment, and restart Foyer.`;
  return `Set ${nameOf(text)} in the environment of Foyer and restart it; docs/settings.md says what it takes.`;
}
