/** Lists the demo people and the faults that can be enabled. */
import { html, type Html } from '../../site/html.js';
import type { SiteLanguage } from '../../site/language.js';
import type { Dialect } from '../dialect.js';
import { FAULT_NAMES, type FaultName } from '../faults.js';
import { PEOPLE, toName } from '../people.js';
import { findPhrases } from '../phrases.js';
import { buildFrame } from './frame.js';

export interface ProviderEntry {
  dialect: Dialect;
  fault: FaultName | null;
  subjects: Readonly<Record<string, string>>;
}

export function buildOverviewPage(language: SiteLanguage, providers: readonly ProviderEntry[]): Html {
  const phrases = findPhrases(language);
  return buildFrame(
    language,
    phrases.people,
    html`<h1>${phrases.people}</h1>
      <ul class="list">
        ${PEOPLE.map(
          (person) =>
            html`<li class="card">
              <strong>${toName(person)}</strong> <span class="soft">${person.email}</span>
              <dl class="facts">
                ${providers.map(
                  ({ dialect, subjects }) =>
                    html`<dt>${phrases.idAt(dialect.title)}</dt>
                      <dd>${subjects[person.key]}</dd>`,
                )}
              </dl>
            </li>`,
        )}
      </ul>
      <h2>${phrases.faults}</h2>
      <p>${phrases.faultsText}</p>
      <div class="card panel">${providers.map(({ dialect, fault }) => buildFaultForm(language, dialect, fault))}</div>`,
  );
}

function buildFaultForm(language: SiteLanguage, dialect: Dialect, activeFault: FaultName | null): Html {
  const { id, title } = dialect;
  const phrases = findPhrases(language);
  return html`<form class="faults" method="post" action="/control">
    <input type="hidden" name="provider" value="${id}" />
    <label for="fault-${id}">${title}</label>
    <select id="fault-${id}" name="fault">
      <option value="">${phrases.none}</option>
      ${FAULT_NAMES.filter((name) => canFail(dialect, name)).map((name) => html`<option value="${name}" ${name === activeFault && html`selected`}>${name}</option>`)}
    </select>
    <button class="button" type="submit">${phrases.apply}</button>
    <button class="button" type="submit" name="action" value="roll">${phrases.roll}</button>
    ${id === 'apple' && html`<button class="button" type="submit" name="action" value="forget">${phrases.forget}</button>`}
  </form>`;
}

/** Only Microsoft has tenants, and no client reads Apple's metadata. */
function canFail({ id, paths, sendsIssuer }: Dialect, fault: FaultName): boolean {
  if (fault === 'other-tenant') return id === 'microsoft';
  if (fault === 'iss-missing') return sendsIssuer;
  if (fault.includes('userinfo')) return paths.userinfo !== undefined;
  return id !== 'apple' || !fault.includes('metadata');
}
