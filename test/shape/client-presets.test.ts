/** The kinds of apps that operators register are those that docs/clients describes. */
import { readFileSync, readdirSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { CLIENT_PRESETS } from '../../src/operator/clients/client-presets.js';
import { findClientFaults, type ClientChanges } from '../../src/operator/clients/client-rules.js';

const FOLDER = new URL('../../docs/clients/', import.meta.url);
const pages = readdirSync(FOLDER).filter((name) => name !== 'README.md');

/** @returns the registration that the page shows */
function readRegistration(page: string): Record<string, unknown> {
  const [, json = ''] = /```json file=client\.json\n([\s\S]*?)```/.exec(readFileSync(new URL(page, FOLDER), 'utf8')) ?? [];
  return JSON.parse(json) as Record<string, unknown>;
}

describe('the presets of clients', () => {
  it('are each described by the pages that they name', () => {
    expect(CLIENT_PRESETS.flatMap((preset) => preset.pages.map((page) => `${page}.md`)).sort()).toEqual(pages.sort());
  });

  it.each(pages)('register what %s registers', (page) => {
    const preset = CLIENT_PRESETS.find((one) => one.pages.includes(page.replace('.md', '')));
    const registration = readRegistration(page);
    expect(registration).toMatchObject(preset?.members ?? {});
    const { client_id: _id, grant_types: _grants, response_types: _responses, metadata: _metadata, ...changes } = registration;
    expect(findClientFaults(changes as ClientChanges)).toEqual([]);
  });
});
