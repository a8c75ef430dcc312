/** Reads all settings from an environment, and collects all faults, so that they are reported together. */
import { toCode } from './system-error.js';
import { SETTINGS, SETTING_LIST, type Section, type Setting, type SettingValues } from './settings.js';
import { shortenText } from './cut-text.js';

export type Environment = Readonly<Record<string, string | undefined>>;

/** @returns the text of a file; throws if it cannot be read */
export type ReadFile = (path: string) => string;

export interface SettingsReading {
  /** The values; a setting with a fault has its default value. */
  values: SettingValues;
  faults: string[];
}

export function readSettings(env: Environment, readFile: ReadFile): SettingsReading {
  const faults: string[] = [];
  const readSetting = (setting: Setting): unknown => {
    const source = readSource(setting, env, readFile);
    const reading = source.text === undefined ? undefined : setting.kind.read(source.text);
    const name = source.path === undefined ? setting.name : `${setting.name}_FILE`;
    if (source.fault !== undefined) faults.push(`${name}: ${source.fault}`);
    if (reading && 'fault' in reading) faults.push(`${name}: ${showValue(setting, source)} ${reading.fault}`);
    return reading && 'value' in reading ? reading.value : setting.fallback;
  };
  const sections = Object.entries<Section>(SETTINGS).map(([name, section]) => {
    const values = Object.entries(section).map(([key, setting]) => [key, readSetting(setting)] as const);
    // A setting without a value is absent.
    return [name, Object.fromEntries(values.filter(([, value]) => value !== undefined))];
  });
  return { values: Object.fromEntries(sections) as SettingValues, faults };
}

const FILE_SETTINGS: ReadonlySet<string> = new Set(SETTING_LIST.flatMap(({ name, file }) => (file ? [name] : [])));

/** Whether a setting is set. An empty value is treated as not set, because Compose files leave out settings in this way. */
export function hasValue(name: string, env: Environment): boolean {
  return (env[name] ?? '').trim() !== '' || (FILE_SETTINGS.has(name) && (env[`${name}_FILE`] ?? '').trim() !== '');
}

interface SourceText {
  text?: string;
  /** Path of the file that contains the text. */
  path?: string;
  fault?: string;
}

function readSource(setting: Setting, env: Environment, readFile: ReadFile): SourceText {
  const text = (env[setting.name] ?? '').trim();
  const path = setting.file ? (env[`${setting.name}_FILE`] ?? '').trim() : '';
  if (text !== '' && path !== '') return { fault: `is set together with ${setting.name}_FILE; remove one of them` };
  if (path === '') return text === '' ? {} : { text };
  try {
    const content = readFile(path).trim();
    return content === '' ? { path, fault: `the file ${quote(path)} is empty` } : { path, text: content };
  } catch (error) {
    return { path, fault: `the file ${quote(path)} cannot be read (${toCode(error) ?? 'unknown reason'})` };
  }
}

function showValue(setting: Setting, { text = '', path }: SourceText): string {
  if (path !== undefined) return `the file ${quote(path)}`;
  return setting.secret ? 'the value' : quote(text);
}

/** Values in the query of an address whose names suggest that they are secret. */
const SECRET_PARAMETER = /([?&][\w.-]*(?:key|token|secret|password|sig)[\w.-]*=)[^&\s"'#]+/gi;

/**
 * A setting that is not a secret may, by mistake, still be an address with a password. A password may contain any character, so everything
 * up to the last `@` is hidden; only in a text that does not begin with an address does the hidden part end at a space.
 */
export function hidePasswords(text: string): string {
  return text
    .replace(/^([a-z][a-z\d+.-]*:)?\/\/[^]*@/i, '$1//…@')
    .replace(/\/\/\S*@/g, '//…@')
    .replace(SECRET_PARAMETER, '$1…');
}

/** Quotes a value on one line, shortened and without the password of an address. */
function quote(text: string): string {
  return JSON.stringify(shortenText(hidePasswords(text), 60));
}
