/** Lists the settings of an installation for operators: the value of each, and where it comes from. Values of secrets are left out. */
import { hidePasswords, type Environment } from './settings-read.js';
import { SETTINGS, SETTING_GROUPS, type Setting } from './settings.js';
import { cutText } from './cut-text.js';

export interface SettingOrigin {
  name: string;
  /** Heading of docs/settings.md. */
  group: string;
  about: string;
  origin: 'environment' | 'file' | 'default';
  /** Path of the file that contains the value. */
  file: string | null;
  secret: boolean;
  /**
   * The value, shortened, without passwords and secret parameters of addresses; null for a secret, for a file, and if the setting
   * is not set.
   */
  value: string | null;
  default: string | null;
}

const MAX_LENGTH = 2000;

export function listSettings(env: Environment): SettingOrigin[] {
  return SETTING_GROUPS.flatMap(({ title, sections }) =>
    sections.flatMap((name) => Object.values<Setting>(SETTINGS[name]).map((setting) => toOrigin(setting, title, env))),
  );
}

/** An empty value is treated as not set, as in `settings-read.ts`. */
function toOrigin({ name, about, ...setting }: Setting, group: string, env: Environment): SettingOrigin {
  const secret = setting.secret === true;
  const text = (env[name] ?? '').trim();
  const file = setting.file ? (env[`${name}_FILE`] ?? '').trim() : '';
  return {
    name,
    group,
    about: toPlainText(about),
    origin: text !== '' ? 'environment' : file !== '' ? 'file' : 'default',
    file: text === '' && file !== '' ? file : null,
    secret,
    value: text === '' || secret ? null : cutText(hidePasswords(text), MAX_LENGTH),
    default: toDefault(setting),
  };
}

function toDefault({ fallback, fallbackText }: Pick<Setting, 'fallback' | 'fallbackText'>): string | null {
  if (fallbackText !== undefined) return toPlainText(fallbackText);
  return fallback === undefined || typeof fallback === 'object' ? null : String(fallback);
}

/** Removes the markup of Markdown. */
function toPlainText(text: string): string {
  return text.replaceAll('`', '').replace(/\[([^\]]*)\]\([^)]*\)/g, '$1');
}
