/**
 * The routes of an application by path. Express tries the pattern of every route in turn; nearly all requests are for paths
 * without parameters, and this index looks those up.
 */
import type { RequestHandler } from 'express';

/** The part of an express router entry that this index uses. The published types of express do not describe it. */
export interface RouteLayer {
  route?: { path: unknown; methods: Readonly<Record<string, boolean>> };
  match(path: string): unknown;
  handleRequest: RequestHandler;
}

interface Routes {
  layers: readonly RouteLayer[];
  /** In upper case. */
  methods: readonly string[];
}

export class RouteIndex {
  #routes: ReadonlyMap<string, Routes> | undefined;

  /** @param stack returns the entries of the router; called when requests arrive, after all routes were registered */
  constructor(private readonly stack: () => readonly RouteLayer[]) {}

  /** @returns methods in upper case; none for an unknown path */
  listMethods(path: string): readonly string[] {
    return (this.#index().get(path) ?? this.#match(path)).methods;
  }

  /** Calls the route that the router would find. Paths with parameters, unknown paths and HEAD are left to the router. */
  readonly dispatch: RequestHandler = (request, response, next) => {
    const method = request.method.toLowerCase();
    const layer = this.#index()
      .get(request.path)
      ?.layers.find(({ route }) => route?.methods[method]);
    if (layer?.route?.path !== request.path) return next();
    request.route = layer.route;
    request.params = {};
    layer.handleRequest(request, response, next);
  };

  #index(): ReadonlyMap<string, Routes> {
    return (this.#routes ??= new Map(
      this.stack().flatMap(({ route }) => {
        const path = route?.path;
        return typeof path === 'string' && PLAIN_PATH.test(path) ? [[path, this.#match(path)] as const] : [];
      }),
    ));
  }

  #match(path: string): Routes {
    const layers = this.stack().filter((layer) => layer.route && layer.match(path));
    const methods = layers.flatMap(({ route }) => Object.keys(route?.methods ?? {}).map((method) => method.toUpperCase()));
    return { layers, methods: [...new Set(methods)] };
  }
}

/** Matches paths in which no character has a special meaning in a pattern. */
const PLAIN_PATH = /^[\w/-]+$/;
