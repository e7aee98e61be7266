// Probes that Knative refuses, and what an init container may not have.
import { type Row, one, two, before, ready, C, I } from './examples.ts';

export const PROBES: readonly Row[] = [
  [
    'a probe that asks nothing',
    one({ livenessProbe: { periodSeconds: 5 } }),
    `${C}.livenessProbe`,
    'must say how it asks',
  ],
  [
    'a probe that asks twice',
    one({ startupProbe: { exec: { command: ['a'] }, tcpSocket: {} } }),
    `${C}.startupProbe`,
    'asks in several ways',
  ],
  [
    'a probe at a port without such a name',
    ready({ httpGet: { path: '/', port: 'web' } }),
    `${C}.readinessProbe.httpGet.port`,
    'write "http"',
  ],
  [
    'a probe at a number in quotes',
    one({ livenessProbe: { tcpSocket: { port: '8080' } } }),
    `${C}.livenessProbe.tcpSocket.port`,
    'without quotes',
  ],
  [
    'a probe at no port beside the app',
    two({ readinessProbe: { httpGet: { path: '/' } } }),
    'spec.containers[1].readinessProbe.httpGet.port',
    'is missing',
  ],
  [
    'a readiness probe beside the app that asks nothing',
    two({ readinessProbe: { periodSeconds: 5 } }),
    'spec.containers[1].readinessProbe',
    'must say how it asks',
  ],
  [
    'a readiness probe that fails without a period',
    ready({ failureThreshold: 3 }),
    `${C}.readinessProbe.failureThreshold`,
    'only with periodSeconds',
  ],
  [
    'a readiness probe that times out without a period',
    ready({ httpGet: { path: '/' }, timeoutSeconds: 1 }),
    `${C}.readinessProbe.timeoutSeconds`,
    'only with periodSeconds',
  ],
  [
    'a readiness probe before its time',
    ready({ initialDelaySeconds: -1 }),
    `${C}.readinessProbe.initialDelaySeconds`,
    'not be below 0',
  ],
  [
    'a readiness probe that fails too little',
    ready({ periodSeconds: 5, failureThreshold: -1 }),
    `${C}.readinessProbe.failureThreshold`,
    'not be below 0',
  ],
  [
    'a probe of an init container',
    before({ livenessProbe: { tcpSocket: { port: 1 } } }),
    `${I}.livenessProbe`,
    'take it out',
  ],
  ['a hook of an init container', before({ lifecycle: {} }), `${I}.lifecycle`, 'take it out'],
  ['an init container that stays', before({ restartPolicy: 'Always' }), `${I}.restartPolicy`, 'take it out'],
];
