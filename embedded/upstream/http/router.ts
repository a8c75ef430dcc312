/**
 * Finds the handler for a method and a path. If there is none, the result shows whether the path supports other methods; the two ports
 * answer differently (`ports.ts`).
 */
import type { Exchange } from './exchange.js';

export type PathParameters = Readonly<Record<string, string>>;
export type Handler = (exchange: Exchange, parameters: PathParameters) => Promise<void> | void;

export interface Route {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Without `/admin`. A part that begins with `:` is a parameter. */
  path: string;
  handle: Handler;
}

export type RouteMatch = { handle: Handler; parameters: PathParameters } | { allowedMethods: string[] } | 'none' | 'malformed';

export class Router {
  readonly #routes: readonly { route: Route; parts: readonly string[] }[];

  constructor(routes: readonly Route[]) {
    this.#routes = routes.map((route) => ({ route, parts: route.path.split('/') }));
  }

  match(method: string, path: string): RouteMatch {
    const routedMethod = method === 'HEAD' ? 'GET' : method;
    const parts = path.split('/');
    const candidates = this.#routes.filter((entry) => matches(entry.parts, parts));
    if (candidates.length === 0) return 'none';
    const match = candidates.find(({ route }) => route.method === routedMethod);
    if (!match) return { allowedMethods: listAllowedMethods(candidates.map(({ route }) => route.method)) };
    const parameters = readParameters(match.parts, parts);
    return parameters ? { handle: match.route.handle, parameters } : 'malformed';
  }
}

function matches(pattern: readonly string[], parts: readonly string[]): boolean {
  return (
    pattern.length === parts.length &&
    pattern.every((part, index) => (part.startsWith(':') ? parts[index] !== '' : part === parts[index]))
  );
}

function readParameters(pattern: readonly string[], parts: readonly string[]): PathParameters | null {
  try {
    return Object.fromEntries(
      pattern.flatMap((part, index) => (part.startsWith(':') ? [[part.slice(1), decodeURIComponent(parts[index] ?? '')]] : [])),
    );
  } catch {
    return null;
  }
}

function listAllowedMethods(methods: readonly string[]): string[] {
  return [...new Set(methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])))].sort();
}
