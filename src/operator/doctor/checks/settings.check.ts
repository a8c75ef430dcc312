/** Reports the faults and warnings that the start of a gateway would report about settings, except those that other checks report. */
import type { Check } from '../check.js';
import { fault, hint, ok } from '../finding.js';
import { isAboutSecrets, toName, toSentence } from './setting-names.js';

/** Warnings that the checks of mail and passwords report, with a better remedy. */
const REPORTED_ELSEWHERE = /^(SMTP_URL: is not set|PASSWORD_MIN_LENGTH: \d+ is below)/;

export const settingsCheck: Check = {
  title: 'Settings',
  run: ({ config, faults, warnings }) => {
    const findings = [
      ...faults.filter((text) => !isAboutSecrets(text)).map((text) => fault(toSentence(text), toFix(text))),
      ...warnings
        .filter((text) => !isAboutSecrets(text) && !REPORTED_ELSEWHERE.test(text))
        .map((text) => hint(toSentence(text), toFix(text))),
    ];
    return Promise.resolve(findings.length > 0 ? findings : [ok(`All settings are valid (${config.mode}).`)]);
  },
};

function toFix(text: string): string {
  if (text.includes('is not a setting'))
    return 'Correct the name (docs/settings.md lists all settings), or remove it from the environment.';
  const [, requiredSetting] = / requires ([A-Z_]+(?:=\w+)?), which is not set/.exec(text) ?? [];
  if (requiredSetting !== undefined)
    return `Set ${requiredSetting} too, or remove ${toName(text)} from the environment, and restart Foyer.`;
  return `Correct ${toName(text)} in the environment of Foyer, and restart Foyer; docs/settings.md describes the setting.`;
}
