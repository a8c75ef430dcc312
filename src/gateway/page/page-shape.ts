/**
 * The shape of a page's state is the part that decides its markup: the names of its members, its numbers, flags and codes, and which texts
 * are equal or empty. Every other text is a value that the markup only contains. The compiler refuses an incomplete list of codes.
 */
import type { PageName, PageOf, PageState } from '../../contract/page-state.js';
import { MAX_TEXTS, buildJsonMarker } from './text-slots.js';

type StateCodes<State, Parent extends string> = State extends readonly (infer Item)[]
  ? StateCodes<Item, Parent>
  : State extends object
    ? { [Name in keyof State & string]: MemberCodes<NonNullable<State[Name]>, Parent, Name> }[keyof State & string]
    : never;

type MemberCodes<Value, Parent extends string, Name extends string> =
  true extends IsCode<Value> ? `${Parent}.${Name}` : StateCodes<Value, Name>;

type IsCode<Value> = Value extends readonly (infer Item)[]
  ? IsCode<Item>
  : Value extends string
    ? string extends Value
      ? false
      : true
    : false;

/**
 * The account area, the questions about a deletion and about a change, and the page for the help desk are not kept, because they format
 * dates; nor are errors of Hydra, whose texts are looked up, or the registration and the tasks, whose fields the settings name.
 */
type KeptPage = Exclude<
  PageName,
  'keep_account' | 'oauth_error' | 'registration' | 'stop_change' | 'support' | 'task' | `manage${string}`
>;

/** Codes that the types declare as plain text: names of factors, and scopes and claims for which the pages have phrases. */
type UntypedCode = 'mfa_verification.view' | 'factors.name' | 'scopes.id' | 'values.claim';

/** Members with these names are codes on every page that is kept. */
const COMMON_CODES = [
  ...(['page', 'locale', 'locale_source', 'error', 'challenge_fault', 'status', 'code', 'reasons'] as const),
  ...(['brand', 'missing', 'remember', 'wanted_by'] as const),
];

/** Further codes, each with the member that contains it. */
const CODES: Readonly<
  Record<Exclude<StateCodes<PageOf<KeptPage>, 'state'>, `${string}.${(typeof COMMON_CODES)[number]}`> | UntypedCode, true>
> = {
  'footer_links.id': true,
  'language_links.dir': true,
  'login.by': true,
  'login.limited': true,
  'scopes.id': true,
  'values.claim': true,
  'mfa_verification.view': true,
  'factors.name': true,
};

const NAMES: ReadonlySet<string> = new Set(COMMON_CODES);
const CODES_BY_PARENT = new Map<string, Set<string>>();
for (const code of Object.keys(CODES)) {
  const [parent = '', name = ''] = code.split('.');
  CODES_BY_PARENT.set(parent, (CODES_BY_PARENT.get(parent) ?? new Set()).add(name));
}

/** Apps name the scopes, so a page with a scope that is longer or has other characters is not kept. */
const CODE = /^[\w:./ -]{1,80}$/;
const KEPT_PAGE = /^(?!manage|keep_account|oauth_error|registration|stop_change|support|task)/;
/**
 * A page that counts down differs each second; if it were kept, it would evict other pages. A page with `later_until` formats that
 * day.
 */
const MEMBERS_OF_UNKEPT_PAGES: readonly string[] = ['retry_after', 'later_until'];

export interface PageShape {
  /** JSON of the page with a marker in place of each text. */
  key: string;
  /** The texts that the markers replace. */
  texts: readonly string[];
}

/** @returns null for a page that is rendered each time */
export function toShape({ state, self, look }: { state: PageState; self?: string; look?: string }): PageShape | null {
  const shape = new ShapeReader();
  const key = shape.read({ state, self, look });
  return KEPT_PAGE.test(state.page) && shape.canBeKept ? { key, texts: shape.texts } : null;
}

class ShapeReader {
  readonly texts: string[] = [];
  readonly #numbers = new Map<string, number>();
  canBeKept = true;

  /** @param parent name of the member that holds the value */
  read(value: unknown, parent = ''): string {
    if (typeof value !== 'object' || value === null) return JSON.stringify(value);
    const codes = CODES_BY_PARENT.get(parent);
    let json = '';
    for (const name in value) {
      const member = (value as Record<string, unknown>)[name];
      if (member === undefined) continue;
      if (MEMBERS_OF_UNKEPT_PAGES.includes(name)) this.canBeKept = false;
      json += `${json === '' ? '{' : ','}"${name}":${this.#readMember(member, name, NAMES.has(name) || codes?.has(name) === true)}`;
    }
    return json === '' ? '{}' : `${json}}`;
  }

  #readMember(value: unknown, name: string, isCode: boolean): string {
    if (typeof value === 'string') return this.#readText(value, isCode);
    if (!Array.isArray(value)) return this.read(value, name);
    let json = '';
    for (const item of value) json += (json === '' ? '' : ',') + this.#readMember(item, name, isCode);
    return `[${json}]`;
  }

  #readText(text: string, isCode: boolean): string {
    if (text === '') return '""';
    if (isCode) {
      this.canBeKept &&= CODE.test(text);
      return `"${text}"`;
    }
    const number = this.#numbers.get(text) ?? this.texts.push(text) - 1;
    this.#numbers.set(text, number);
    this.canBeKept &&= number < MAX_TEXTS;
    return buildJsonMarker(number);
  }
}
