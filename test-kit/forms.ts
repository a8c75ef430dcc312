/**
 * Parses the forms of a page, with the values that a browser without script would send. It is written for the pages of Foyer and is not a
 * full HTML parser: it does not read the text of a textarea or the selected option of a select.
 */
import { unescapeHtml, type Fields } from './page.js';

export interface Form {
  /** The `action` attribute, or the target of the button by which the form was found. */
  action: string;
  method: string;
  /** Values that are sent if the person changes nothing: hidden fields, texts, checked boxes. */
  fields: Record<string, string[]>;
}

interface ParsedForm extends Form {
  /** Names of all fields and buttons that are not disabled. */
  names: Set<string>;
  /** Targets of the form and of its buttons. */
  actions: string[];
}

const FORM = /<form\b([^>]*)>([\s\S]*?)<\/form>/gi;
/** The fields in a disabled fieldset are neither filled in nor sent. */
const DISABLED_FIELDSET = /<fieldset\b[^>]*\sdisabled\b[^>]*>[\s\S]*?<\/fieldset>/gi;
const CONTROL = /<(input|button|textarea|select)\b([^>]*)>/gi;
const ATTRIBUTE = /([a-z][a-z-]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/gi;
const CHECKABLE_TYPES = ['checkbox', 'radio'];
const BUTTON_TYPES = ['submit', 'button', 'image', 'reset'];

/** Finds the first form with these fields and this target. @throws Error that lists the forms of the page */
export function findForm(html: string, names: readonly string[], action?: string): Form & { fields: Fields } {
  const forms = [...html.matchAll(FORM)].map(([, attributes = '', content = '']) => readForm(attributes, content));
  const matches = ({ names: formNames, actions }: ParsedForm): boolean =>
    names.every((name) => formNames.has(name)) && (action === undefined || actions.includes(action));
  const form = forms.find(matches);
  if (form) return action === undefined ? form : { ...form, action };
  const descriptions = forms.map(({ names: formNames, actions }) => `${actions.join(' | ')} (${[...formNames].join(', ')})`);
  const requirements = [...names, ...(action === undefined ? [] : [`the target ${action}`])].join(' and ');
  throw new Error(
    `No form of this page has ${requirements || 'any fields'}; the forms are: ${descriptions.join('; ') || 'none'}`,
  );
}

function readForm(attributes: string, content: string): ParsedForm {
  const { action = '', method = 'get' } = toAttributes(attributes);
  const form: ParsedForm = { action, method: method.toLowerCase(), fields: {}, names: new Set(), actions: [action] };
  for (const [, tag = '', text = ''] of content.replaceAll(DISABLED_FIELDSET, '').matchAll(CONTROL))
    readControl(form, tag.toLowerCase(), toAttributes(text));
  return form;
}

function readControl(form: ParsedForm, tag: string, control: Record<string, string>): void {
  const { name, type = tag === 'button' ? 'submit' : 'text', value = 'on' } = control;
  if (control['formaction'] !== undefined) form.actions.push(control['formaction']);
  if (name === undefined || 'disabled' in control) return;
  form.names.add(name);
  if (tag === 'select' || BUTTON_TYPES.includes(type) || (CHECKABLE_TYPES.includes(type) && !('checked' in control))) return;
  form.fields[name] = [...(form.fields[name] ?? []), CHECKABLE_TYPES.includes(type) ? value : (control['value'] ?? '')];
}

function toAttributes(text: string): Record<string, string> {
  const entries = [...text.matchAll(ATTRIBUTE)].map(([, name = '', doubleQuoted, singleQuoted, unquoted]) => {
    return [name.toLowerCase(), unescapeHtml(doubleQuoted ?? singleQuoted ?? unquoted ?? '')];
  });
  return Object.fromEntries(entries) as Record<string, string>;
}
