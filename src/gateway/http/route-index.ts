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

interface Routes {
  layers: readonly RouteLayer[];
  /** Upper case. */
  methods: readonly string[];
}

export class RouteIndex {
  #routes: ReadonlyMap<string, Routes> | undefined;

  /** @param stack of the router; read at the first request, when all routes are there */
  constructor(private readonly stack: () => readonly RouteLayer[]) {}

  /** @returns upper case; empty for an unknown path */
  toMethods(path: string): readonly string[] {
    return (this.#indexed().get(path) ?? this.#matching(path)).methods;
  }

  /** Calls the route that the router would find. Other requests are left to the router: parameters, unknown paths, HEAD. */
  readonly dispatch: RequestHandler = (request, response, next) => {
    const method = request.method.toLowerCase();
    const layer = this.#indexed()
      .get(request.path)
      ?.layers.find(({ route }) => route?.methods[method]);
    if (layer?.route?.path !== request.path) return next();
    request.route = layer.route;
    request.params = {};
    layer.handleRequest(request, response, next);
  };

  #indexed(): ReadonlyMap<string, Routes> {
    return (this.#routes ??= new Map(
      this.stack().flatMap(({ route }) => {
        const path = route?.path;
        return typeof path === 'string' && PLAIN.test(path) ? [[path, this.#matching(path)] as const] : [];
      }),
    ));
  }

  #matching(path: string): Routes {
    const layers = this.stack().filter((layer) => layer.route && layer.match(path));
    const methods = layers.flatMap(({ route }) => Object.keys(route?.methods ?? {}).map((method) => method.toUpperCase()));
    return { layers, methods: [...new Set(methods)] };
  }
}

/** No character of these has a meaning in a pattern. */
const PLAIN = /^[\w/-]+$/;
