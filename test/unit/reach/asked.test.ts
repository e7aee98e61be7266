// What a request may ask of the reader, and nothing else.
import { askedBy } from '../../../reach/asked.ts';
import { pathTo } from '../../../reach/names.ts';

const LOG = pathTo({ namespace: 'apps', name: 'shop' }, 'log');

test('a question names a Capp, a part of it, and which lines', () => {
  expect(askedBy('GET', LOG)).toEqual({
    is: 'question',
    question: {
      capp: { namespace: 'apps', name: 'shop' },
      part: 'log',
      site: null,
      container: null,
      follow: false,
      tail: null,
      usage: false,
      sinceSeconds: null,
      sinceTime: null,
      siteTimes: {},
    },
  });
  const all =
    '?follow=true&site=site-1&container=app&tailLines=0&sinceSeconds=60&sinceTime=2026-01-02T03:04:05.1Z';
  expect(askedBy('GET', `${LOG}${all}`)).toMatchObject({
    question: { follow: true, site: 'site-1', container: 'app', tail: 0, sinceSeconds: 60 },
  });
  const times = '?siteTime=site-1,2026-01-02T03:04:05Z&siteTime=site-2,2026-01-02T03:04:06Z';
  expect(askedBy('GET', `${LOG}${times}`)).toMatchObject({
    question: { siteTimes: { 'site-1': '2026-01-02T03:04:05Z', 'site-2': '2026-01-02T03:04:06Z' } },
  });
});

test.each([
  ['POST', LOG, 405],
  ['DELETE', LOG, 405],
  ['GET', LOG.replace('/log', '/exec'), 403],
  ['GET', LOG.replace('/log', '/portforward'), 403],
  ['GET', LOG.replace('/log', '/status'), 404],
  ['GET', `${LOG}/`, 404],
  ['GET', LOG.replace('apps/', '..%2Fother/'), 404],
  ['GET', LOG.replace('shop', 'Shop'), 404],
  ['GET', LOG.replace('v1alpha1', 'v1'), 404],
  ['GET', `/api/v1${LOG}`, 404],
  ['GET', '/metrics', 404],
  ['GET', `${LOG}?site=../x`, 400],
  ['GET', `${LOG}?container=a%20b`, 400],
  ['GET', `${LOG}?site=a..b`, 400],
  ['GET', `${LOG}?siteTime=site-1`, 400],
  ['GET', `${LOG}?siteTime=site-1,now`, 400],
  ['GET', `${LOG}?siteTime=../x,2026-01-02T03:04:05Z`, 400],
  ['GET', `${LOG}?tailLines=1e3`, 400],
  ['GET', `${LOG}?tailLines=1000001`, 400],
  ['GET', `${LOG}?sinceSeconds=-1`, 400],
  ['GET', `${LOG}?sinceTime=2026-99-02T03:04:05Z`, 400],
  ['GET', `${LOG}?sinceTime=2026-01-02T03:04:05Z%26follow=x`, 400],
])('%s %s is refused with %i', (method, url, code) => {
  expect(() => askedBy(method, url)).toThrow(expect.objectContaining({ code }) as Error);
});

test.each([
  '/apis',
  '/apis/reach.rcs.dana.io',
  '/apis/reach.rcs.dana.io/v1alpha1',
  '/apis/reach.rcs.dana.io/v1alpha1?timeout=32s',
])('%s tells the API server what is served', (url) => {
  expect(askedBy('GET', url)).toMatchObject({ is: 'discovery' });
});
