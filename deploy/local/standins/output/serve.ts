// The address of a site's node and of its metrics-server: answers what the API server asks a kubelet for the
// logs of containers, and what people ask for what Pods use.
import { createServer } from 'node:https';
import type { ServerResponse } from 'node:http';
import { POD } from '../../../../crds/kubernetes/core.ts';
import type { Kube } from '../../../../kube/client.ts';
import type { KubeObject } from '../../../../kube/resource.ts';
import { issue } from '../../../../tls/certificate.ts';
import { applyObjects } from '../../kubernetes/apply.ts';
import type { StandInPod } from '../pods/pod.ts';
import type { StandIn } from '../stand-in.ts';
import { chosen, logAsked, textOf, type LogAsked } from './asked.ts';
import { DISCOVERY, usageAsked, usageList } from './usage.ts';
import type { PodLogs } from './pod-logs.ts';

export interface OutputAddress {
  readonly host: string;
  readonly port: number;
}

/**
 * Listens, and then makes the site's API server ask it for `metrics.k8s.io`. Its certificate is of nobody, as
 * that of a kubelet without one of its own.
 */
export function output(kube: Kube, written: PodLogs, { host, port }: OutputAddress): StandIn {
  const opened = open(kube, written, { host, port });
  return {
    synced: opened.then(() => applyObjects(kube, metricsObjects(port))),
    stop: () =>
      opened.then(
        (server) =>
          new Promise((resolve) => {
            server.close(() => resolve());
            server.closeAllConnections();
          }),
      ),
  };
}

async function open(kube: Kube, written: PodLogs, { host, port }: OutputAddress) {
  const { cert, key } = await issue([host], Date.now());
  const server = createServer({ cert, key }, ({ url = '/' }, response) => {
    const log = logAsked(url, Date.now());
    if (log !== null) return tell(written, log, response);
    usage(kube, url).then(
      (document) => answer(response, document === null ? 404 : 200, document ?? {}),
      () => answer(response, 500, {}),
    );
  });
  await new Promise<void>((resolve, reject) => {
    const refused = (cause: Error): void =>
      reject(new Error(`The node of the site cannot listen on ${host}:${port}: ${cause.message}`, { cause }));
    server.once('error', refused).listen({ host, port, exclusive: true }, () => {
      server.off('error', refused);
      resolve();
    });
  });
  return server;
}

function answer(response: ServerResponse, code: number, document: object): void {
  response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(document));
}

/** Null for what is not served. */
async function usage(kube: Kube, url: string): Promise<object | null> {
  const known = DISCOVERY.get(url.split('?')[0] ?? '');
  const asked = usageAsked(url);
  if (known !== undefined || asked === null) return known ?? null;
  const { items } = await kube.list<StandInPod>(
    POD,
    asked.namespace === null ? {} : { namespace: asked.namespace },
  );
  return usageList(items, asked, Date.now());
}

function tell(written: PodLogs, asked: LogAsked, response: ServerResponse): void {
  const lines = written.lines(asked.container);
  if (lines === null) {
    response.writeHead(404, { 'content-type': 'text/plain' }).end('The container has not begun.');
    return;
  }
  const texts = chosen(lines, asked).map((line) => textOf(line, asked));
  response.writeHead(200, { 'content-type': 'text/plain' }).flushHeaders();
  if (!asked.isFollowed) {
    const whole = Buffer.from(texts.join(''));
    response.end(asked.mostBytes === null ? whole : whole.subarray(0, asked.mostBytes));
    return;
  }
  for (const text of texts) response.write(text);
  const leave = written.follow(asked.container, {
    line: (line) => void response.write(textOf(line, asked)),
    end: () => void response.end(),
  });
  response.once('close', leave);
}

/** No kube-proxy runs here: the Service leads to this machine by its name. */
function metricsObjects(port: number): KubeObject[] {
  const service = { namespace: 'kube-system', name: 'metrics-stand-in' };
  const [apiVersion, group, version] = ['apiregistration.k8s.io/v1', 'metrics.k8s.io', 'v1beta1'];
  const objects = [
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: service,
      spec: { type: 'ExternalName', externalName: 'localhost' },
    },
    {
      apiVersion,
      kind: 'APIService',
      metadata: { name: `${version}.${group}` },
      spec: {
        group,
        version,
        groupPriorityMinimum: 100,
        versionPriority: 100,
        insecureSkipTLSVerify: true,
        service: { ...service, port },
      },
    },
  ];
  return objects;
}
