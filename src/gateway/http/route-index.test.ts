import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import express, { type Request } from 'express';
import { describe, expect, it } from '@jest/globals';
import { RouteIndex, type RouteLayer } from './route-index.js';

/** How many patterns of routes were tried for a request, and what was answered. */
function answerTo(path: string, method = 'GET') {
  const app = express();
  const layers = () => app.router.stack as unknown as RouteLayer[];
  const routes = new RouteIndex(layers);
  const answers: string[] = [];
  const answer = (name: string) => (request: Request) => void answers.push(`${name} ${JSON.stringify(request.params)}`);
  app.use(routes.dispatch);
  app.post('/first', answer('post first'));
  app.get('/first', answer('first'));
  app.get('/first/:name', answer('pattern'));
  app.get('/first/second', answer('never'));
  app.get('/third', answer('third'));
  const ask = (url: string) => {
    const request = Object.assign(new IncomingMessage(new Socket()), { url, method });
    void app(request, new ServerResponse(request));
  };
  ask('/third');
  let tried = 0;
  for (const layer of layers().filter(({ route }) => route)) {
    const match = layer.match.bind(layer);
    layer.match = (given) => {
      tried++;
      return match(given);
    };
  }
  answers.length = 0;
  ask(path);
  return { answers, tried, methods: routes.toMethods(path.split('?')[0] ?? '') };
}

describe('the index of routes', () => {
  it('calls the route of a path without parameters and tries no pattern', () => {
    expect(answerTo('/third?first=1')).toEqual({ answers: ['third {}'], tried: 0, methods: ['GET'] });
    expect(answerTo('/first', 'POST')).toMatchObject({ answers: ['post first {}'], tried: 0, methods: ['POST', 'GET'] });
  });

  it('leaves to the router what the router would decide otherwise', () => {
    expect(answerTo('/first/second').answers).toEqual(['pattern {"name":"second"}']);
    expect(answerTo('/first/other').answers).toEqual(['pattern {"name":"other"}']);
    expect(answerTo('/first', 'HEAD').answers).toEqual(['first {}']);
    expect(answerTo('/third/').answers).toEqual(['third {}']);
  });
});
