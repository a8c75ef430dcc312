/** Reads the public keys of the registration service. */
import type { Telemetry } from '../../telemetry/telemetry.js';
import { measureCall } from '../../telemetry/measured-call.js';

const MAX_LENGTH = 100_000;

interface KeyRequest {
  url: string;
  timeoutMs: number;
}

/** @throws Error if the network fails, or if the answer is not successful, too large or not JSON */
export function readServiceKeys({ url, timeoutMs }: KeyRequest, telemetry: Telemetry): Promise<unknown> {
  const toCallEnd = (outcome: unknown) => (outcome instanceof Error ? { error: outcome.name } : { status: 200 });
  const plan = { peer: 'registration', method: 'GET', url: new URL(url) } as const;
  return measureCall({ telemetry, toCallEnd }, plan, () => fetchJson(url, timeoutMs));
}

async function fetchJson(url: string, timeoutMs: number): Promise<unknown> {
  const answer = await fetch(url, {
    headers: { accept: 'application/jwk-set+json, application/json' },
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (!answer.ok) throw new Error(`HTTP ${answer.status}`);
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of (answer.body ?? []) as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > MAX_LENGTH) throw new Error('the key set is too large');
  }
  return JSON.parse(text);
}
