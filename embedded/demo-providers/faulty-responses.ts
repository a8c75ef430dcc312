/** Simulates faults of the network, of the metadata, and of the answer to the client. */
import { text, type Reply } from '../site/reply.js';
import type { FaultName, NetworkFault } from './faults.js';

/** Longer than Foyer's timeout for providers. */
const SLOW_MS = 15_000;
const HUGE_BYTES = 4 * 1024 * 1024;

/** @param url of the request. A simulated redirect leads to it, so that a client that follows the redirect gets the real answer */
export async function simulateNetworkFault(fault: NetworkFault, url: URL, answer: () => Reply | Promise<Reply>): Promise<Reply> {
  const buildJsonReply = (body: string): Reply => ({ status: 200, headers: { 'content-type': 'application/json' }, body });
  if (fault === 'slow') {
    await new Promise((resolve) => setTimeout(resolve, SLOW_MS).unref());
    return answer();
  }
  if (fault === 'status-500') return text('<html>Internal Server Error</html>', 500);
  if (fault === 'broken-json') return buildJsonReply('{"keys": [');
  if (fault === 'redirect') {
    return url.searchParams.has('followed') ? answer() : { status: 307, headers: { location: '?followed=1' }, body: '' };
  }
  const originalReply = await answer();
  return buildJsonReply(`{"filler":"${'x'.repeat(HUGE_BYTES)}",${String(originalReply.body).slice(1)}`);
}

export function applyMetadataFault(metadata: Record<string, unknown>, fault: FaultName | null): object {
  if (fault === 'metadata-issuer') return { ...metadata, issuer: 'https://stranger.example' };
  if (fault === 'metadata-inner-address') return { ...metadata, token_endpoint: 'http://169.254.169.254/token' };
  if (fault !== 'metadata-weak') return metadata;
  return {
    ...metadata,
    code_challenge_methods_supported: ['plain'],
    id_token_signing_alg_values_supported: ['none', 'HS256', ...[metadata['id_token_signing_alg_values_supported']].flat()],
  };
}

export function applyAnswerFault(answer: Record<string, string>, fault: FaultName | null): Record<string, string> {
  const { state = '', iss, ...rest } = answer;
  const issuer = iss === undefined ? {} : { iss };
  if (fault === 'state-dropped') return { ...rest, ...issuer };
  if (fault === 'state-changed') return { ...rest, ...issuer, state: `${state.slice(0, -4)}AAAA` };
  if (fault === 'iss-foreign') return { ...rest, state, iss: 'https://stranger.example' };
  if (fault === 'iss-missing') return { ...rest, state };
  if (fault !== 'error-text') return answer;
  const description = `<script>alert(1)</script>${'x'.repeat(5000)}`;
  return {
    ...issuer,
    state,
    error: '<script>alert(1)</script>',
    error_description: description,
    error_uri: 'javascript:alert(1)',
  };
}
