import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import express, { type Request } from 'express';
import { describe, expect, it } from '@jest/globals';
import { RouteIndex, type RouteLayer } from './route-index.js';

/** Sends a request to a small application, and counts the route patterns that it tries. */
function sendRequest(path: string, method = 'GET') {
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
  const send = (url: string) => {
    const request = Object.assign(new IncomingMessage(new Socket()), { url, method });
    void app(request, new ServerResponse(request));
  };
  send('/third');
  let attempts = 0;
  for (const layer of layers().filter(({ route }) => route)) {
    const match = layer.match.bind(layer);
    layer.match = (candidate) => {
      attempts++;
      return match(candidate);
    };
  }
  answers.length = 0;
  send(path);
  return { answers, attempts, methods: routes.listMethods(path.split('?')[0] ?? '') };
}

describe('the index of routes', () => {
  it('calls the route of a path without parameters and tries no pattern', () => {
    expect(sendRequest('/third?first=1')).toEqual({ answers: ['third {}'], attempts: 0, methods: ['GET'] });
    expect(sendRequest('/first', 'POST')).toMatchObject({ answers: ['post first {}'], attempts: 0, methods: ['POST', 'GET'] });
  });

  it('leaves a request to the router if the router would find another route, and requests with HEAD or a trailing slash', () => {
    expect(sendRequest('/first/second').answers).toEqual(['pattern {"name":"second"}']);
    expect(sendRequest('/first/other').answers).toEqual(['pattern {"name":"other"}']);
    expect(sendRequest('/first', 'HEAD').answers).toEqual(['first {}']);
    expect(sendRequest('/third/').answers).toEqual(['third {}']);
  });
});
