/** A sign-in at any login server whose pages are plain forms: every form with a password or an empty field for a name is filled in and sent. */
import type { Agent } from 'node:http';
import { BrowserClient, toText, type ReceivedResponse } from './browser-client.js';
import type { Person, Route } from './login-walk.js';

const MAX_STEPS = 12;

/** @returns the code that the app gets */
export async function walkForms({ authorizationUrl, callback }: Route, person: Person, agent: Agent): Promise<string> {
  const browser = new BrowserClient(agent, person.address);
  let url = new URL(authorizationUrl);
  let received = await browser.get(url);
  for (let hop = 0; hop < MAX_STEPS; hop++) {
    if (received.location !== null) {
      url = new URL(received.location, url);
      if (url.href.startsWith(callback)) return toCode(url);
      received = await browser.get(url);
    } else {
      const form = readForm(received, url, person);
      url = form.action;
      received = await browser.post(url, form.fields);
    }
  }
  throw new Error(`${callback} is not reached after ${MAX_STEPS} steps, but ${url.origin}${url.pathname}`);
}

function toCode(url: URL): string {
  const code = url.searchParams.get('code');
  if (code === null) throw new Error(`No code but ${url.search}`);
  return code;
}

/** The first form that is posted. @throws if the page has none */
function readForm(
  received: ReceivedResponse,
  url: URL,
  { username, password }: Person,
): { action: URL; fields: [string, string][] } {
  const html = toText(received);
  const form = [...html.matchAll(/<form\b[^>]*>.*?<\/form>/gis)].find(([text]) => readAttribute(text, 'method') === 'post')?.[0];
  if (received.status !== 200 || form === undefined)
    throw new Error(`No form: ${received.status} from ${url.origin}${url.pathname}: ${html.slice(0, 600)}`);
  const fields = [...form.matchAll(/<(?:input|button)\b[^>]*>/gi)].flatMap(([tag]): [string, string][] => {
    const [name, type] = [readAttribute(tag, 'name'), readAttribute(tag, 'type')];
    if (name === '' || type === 'checkbox' || type === 'radio') return [];
    if (type === 'password') return [[name, password]];
    return [[name, type === 'text' || type === 'email' ? username : readAttribute(tag, 'value')]];
  });
  return { action: new URL(readAttribute(form, 'action') || url.href, url), fields };
}

/** @returns the value in the first tag of the text; empty if there is none */
function readAttribute(text: string, name: string): string {
  const tag = /^<[^>]*>/s.exec(text)?.[0] ?? '';
  const value = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s>]+))`, 'i').exec(tag);
  const raw = value?.slice(1).find(Boolean) ?? '';
  const plain = raw.replaceAll('&#x3D;', '=').replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&');
  return name === 'method' || name === 'type' ? plain.toLowerCase() : plain;
}
