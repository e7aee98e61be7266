// The reader of a test: in the test's process, or as the chart starts it.
import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { RELEASE_NAMESPACE } from '../../../../deploy/local/cappstan/chart.ts';
import { publishAuthority } from '../../../../reach/door/publish.ts';
import { READER_CERTIFICATE } from '../../../../reach/names.ts';
import { startReader } from '../../../../reach/reader.ts';
import { ownCertificate } from '../../../../tls/shared-certificate.ts';
import type { Cluster } from '../../servers/chart/chart.ts';
import type { Tunnel } from './tunnel.ts';

const READER_USER = `system:serviceaccount:${RELEASE_NAMESPACE}:cappstan-reader`;
const HOST = 'cappstan-reader.cappstan-system.svc';

export interface ReaderPlace {
  readonly hub: Cluster;
  readonly tunnel: Tunnel;
  readonly port: number;
}

export interface Told {
  readonly begun: string[];
  readonly asked: string[];
  readonly faults: unknown[];
  /** What its process has logged. */
  log: string;
}

/** With the rights of the chart's account. */
export async function readerHere({ hub, tunnel, port }: ReaderPlace, told: Told) {
  const own = await hub.client(READER_USER);
  const reader = await startReader(own, {
    address: `127.0.0.1:${port}`,
    certificate: ownCertificate(own, {
      namespace: RELEASE_NAMESPACE,
      secret: READER_CERTIFICATE,
      hosts: [HOST],
      publish: (authorities) => publishAuthority(own, authorities),
      promoteAfterMs: 0,
      now: Date.now,
    }),
    userServer: { url: tunnel.url, ca: () => Promise.resolve(tunnel.ca) },
    onBegun: ({ caller, question }) =>
      told.begun.push(`${caller.user} ${question.part} ${question.capp.name}`),
    onAsked: ({ caller, question, refused }) =>
      told.asked.push(
        `${caller.user} ${question.part} ${question.capp.name}${refused === null ? '' : ' refused'}`,
      ),
    onError: (error) => told.faults.push(error),
  });
  return {
    close: async () => {
      await reader.close();
      await own.close();
    },
  };
}

/** With the environment of the chart's Deployment. */
export async function readerProcess({ hub, tunnel, port }: ReaderPlace, told: Told) {
  const file = join(dirname(hub.kubeconfig), 'user-server.crt');
  await writeFile(file, tunnel.ca);
  const env = {
    PATH: process.env['PATH'] ?? '',
    KUBECONFIG: await hub.kubeconfigAs(READER_USER, []),
    LOG_LEVEL: 'debug',
    NAMESPACE: RELEASE_NAMESPACE,
    READER_ADDRESS: `127.0.0.1:${port}`,
    READER_HOSTS: HOST,
    USER_SERVER_URL: tunnel.url,
    USER_SERVER_CA_FILE: file,
  };
  const main = join(import.meta.dirname, '../../../../workers/reader/main.ts');
  const child = spawn(process.execPath, [main], { env });
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text: Buffer) => void (told.log += text.toString()));
  return {
    close: async () => {
      const gone = new Promise((resolve) => child.once('exit', resolve));
      if (child.exitCode === null && child.signalCode === null && child.kill()) await gone;
    },
  };
}
