// A hub with a reader, as far as `kubectl capp logs` and `pods` ask it: a CappSet, its Capps, and what a test
// says of their logs and Pods.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SET } from '../../../../crds/labels.ts';
import type { KubeObject } from '../../../../kube/resource.ts';
import { statusOf } from '../../../../reach/refusal.ts';

export interface StandInHub {
  readonly kubeconfig: string;
  /** Capps of the set `apps/shop`. */
  members: readonly string[];
  /**
   * Where they serve, or are pinned, by their names, and the reason of condition Available; one without an
   * entry is on no site.
   */
  places: Readonly<
    Record<string, { readonly pinned?: string; readonly serves?: string; readonly available?: string }>
  >;
  /** Answers for the part `log` or `pods` of a Capp; each may change while a test goes on. */
  answer: (part: string, capp: string, response: ServerResponse) => void;
  /** Paths of parts, with their queries. */
  readonly asked: string[];
  /** How the Capps were listed, each time. */
  readonly listed: ('whole' | 'metadata')[];
  stop(): Promise<void>;
}

export async function startStandInHub(): Promise<StandInHub> {
  const dir = await mkdtemp(join(tmpdir(), 'stand-in-hub-'));
  const asked: string[] = [];
  const listed: StandInHub['listed'] = [];
  const server = createServer((request, response) => {
    const url = request.url ?? '';
    const [, capp = '', part = ''] = /\/capps\/([^/?]+)\/(log|pods)/.exec(url) ?? [];
    if (part !== '') {
      asked.push(url);
      return hub.answer(part, capp, response);
    }
    const isMetadata = request.headers.accept?.includes('as=PartialObjectMetadataList') === true;
    if (LIST.test(url)) listed.push(isMetadata ? 'metadata' : 'whole');
    const document = documentFor(url, { ...hub, isMetadata });
    if (document === null) return refuse(response, 404, 'not found');
    return response.writeHead(200, JSON_TYPE).end(JSON.stringify(document));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const hub: StandInHub = {
    kubeconfig: join(dir, 'kubeconfig'),
    members: [],
    places: {},
    answer: (_part, _capp, response) => refuse(response, 404, 'not found'),
    asked,
    listed,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rm(dir, { recursive: true });
    },
  };
  await writeFile(hub.kubeconfig, kubeconfigFor((server.address() as AddressInfo).port));
  return hub;
}

const LIST = /\/namespaces\/[^/]+\/capps(\?|$)/;

const JSON_TYPE = { 'content-type': 'application/json' };

export function refuse(response: ServerResponse, code: number, message: string): void {
  response.writeHead(code, JSON_TYPE).end(JSON.stringify(statusOf(code, message)));
}

function conditionsOf(reason: string | undefined): object[] {
  return reason === undefined ? [] : [{ type: 'Available', status: 'Unknown', reason, message: 'x' }];
}

function documentFor(
  url: string,
  { members, places, isMetadata }: Pick<StandInHub, 'members' | 'places'> & { readonly isMetadata: boolean },
): object | null {
  const of = (name: string): KubeObject & Record<string, unknown> => ({
    metadata: {
      namespace: 'apps',
      name,
      uid: name,
      labels: { [SET]: 'shop' },
      ownerReferences: [
        { apiVersion: 'rcs.dana.io/v1alpha1', kind: 'CappSet', name: 'shop', uid: 'set', controller: true },
      ],
    },
    spec: { site: places[name]?.pinned },
    status: {
      applicationLinks: { site: places[name]?.serves },
      conditions: conditionsOf(places[name]?.available),
    },
  });
  // It is a hub: these kinds are served.
  const [, served] =
    /^\/apis\/(rcs\.dana\.io|cluster\.open-cluster-management\.io)\/[^/?]+(?:\?|$)/.exec(url) ?? [];
  if (served !== undefined) return { resources: [{ name: 'capps' }, { name: 'managedclusters' }] };
  if (/\/cappsets\/shop(\?|$)/.test(url))
    return { metadata: { namespace: 'apps', name: 'shop', uid: 'set' }, spec: {} };
  if (LIST.test(url))
    return {
      metadata: { resourceVersion: '1' },
      items: members.map((name) => (isMetadata ? { metadata: of(name).metadata } : of(name))),
    };
  const [, name] = /\/capps\/([^/?]+)(?:\?|$)/.exec(url) ?? [];
  return name !== undefined && members.includes(name) ? of(name) : null;
}

function kubeconfigFor(port: number): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'hub',
    clusters: [
      { name: 'hub', cluster: { server: `http://127.0.0.1:${port}`, 'insecure-skip-tls-verify': true } },
    ],
    users: [{ name: 'me', user: { token: 'x' } }],
    contexts: [{ name: 'hub', context: { cluster: 'hub', user: 'me', namespace: 'apps' } }],
  });
}
