/**
 * The routes of an application by path. Express tries the pattern of every route in turn; nearly all requests are for paths
 * without parameters, and these are looked up.
 */
import type { RequestHandler } from 'express';

/** The used part of an express router entry; its published types omit it. */
export interface RouteLayer {
  route?: { path: unknown; methods: Readonly<Record<string, boolean>> };
  match(path: string): unknown;
  handleRequest: RequestHandler;
}

export class RouteIndex {
  #layers: ReadonlyMap<string, readonly RouteLayer[]> | undefined;

  /** @param stack of the router; read at the first request, when all routes are there */
  constructor(private readonly stack: () => readonly RouteLayer[]) {}

  /** @returns upper case; empty for an unknown path */
  methodsOf(path: string): string[] {
    const layers = this.#indexed().get(path) ?? this.#matching(path);
    return [...new Set(layers.flatMap(({ route }) => Object.keys(route?.methods ?? {}).map((method) => method.toUpperCase())))];
  }

  /** Calls the route that the router would find. Other requests are left to the router: parameters, unknown paths, HEAD. */
  readonly dispatch: RequestHandler = (request, response, next) => {
    const method = request.method.toLowerCase();
    const layer = this.#indexed()
      .get(request.path)
      ?.find(({ route }) => route?.methods[method]);
    if (layer?.route?.path !== request.path) return next();
    request.route = layer.route;
    request.params = {};
    layer.handleRequest(request, response, next);
  };

  #indexed(): ReadonlyMap<string, readonly RouteLayer[]> {
    return (this.#layers ??= new Map(
      this.stack().flatMap(({ route }) => {
        const path = route?.path;
        return typeof path === 'string' && PLAIN.test(path) ? [[path, this.#matching(path)] as const] : [];
      }),
    ));
  }

  #matching(path: string): RouteLayer[] {
    return this.stack().filter((layer) => layer.route && layer.match(path));
  }
}

/** No character of these has a meaning in a pattern. */
const PLAIN = /^[\w/-]+$/;
