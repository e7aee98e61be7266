// Runs a built rcs-ocm-deployer, the Go operator that Cappstan succeeds, beside the stack.
import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { connect } from 'node:tls';
import { join } from 'node:path';
import { isFree } from '../../deploy/local/supervise/ports.ts';
import { eventually } from '../../testbed/eventually.ts';
import { issue } from '../../tls/certificate.ts';

const HOST = '127.0.0.1';
/** It cannot be configured. */
const WEBHOOK_PORT = 9443;
const START = { withinMs: 60_000, everyMs: 50 };
const STOP = { withinMs: 90_000, everyMs: 50 };

export interface PeerOperator {
  /** The authority of its webhook, PEM. */
  readonly authority: string;
  readonly webhooks: string;
  /** Resolves when it has ended. */
  stop(): Promise<void>;
}

/**
 * Resolves when its webhook answers. `folder` gets its certificate and its log. Throws if its port is taken,
 * or if it ends or does not answer within a minute.
 */
export async function startPeer(binary: string, kubeconfig: string, folder: string): Promise<PeerOperator> {
  if (!(await isFree(WEBHOOK_PORT)))
    throw new Error(`rcs-ocm-deployer needs port ${WEBHOOK_PORT} for its webhook. Stop what uses it.`);
  const { authority, cert, key } = await issue([HOST], Date.now());
  // The folder in which controller-runtime looks for certificates.
  const certificates = join(folder, 'k8s-webhook-server', 'serving-certs');
  mkdirSync(certificates, { recursive: true });
  writeFileSync(join(certificates, 'tls.crt'), cert, { mode: 0o600 });
  writeFileSync(join(certificates, 'tls.key'), key, { mode: 0o600 });
  const log = openSync(join(folder, 'log'), 'a', 0o600);
  const child = spawn(binary, ['--metrics-bind-address=0', '--health-probe-bind-address=0'], {
    stdio: ['ignore', log, log],
    env: { ...process.env, KUBECONFIG: kubeconfig, TMPDIR: folder },
  });
  closeSync(log);
  const failed = new Promise<never>((_, reject) => child.once('error', reject));
  await Promise.race([failed, eventually(() => answers(child, folder), START)]);
  return {
    authority,
    webhooks: `https://${HOST}:${WEBHOOK_PORT}`,
    stop: async () => {
      child.kill('SIGTERM');
      await eventually(() => (hasEnded(child) ? true : undefined), STOP);
    },
  };
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

async function answers(child: ChildProcess, folder: string): Promise<true | undefined> {
  if (hasEnded(child)) throw new Error(`rcs-ocm-deployer has ended. See ${join(folder, 'log')}.`);
  return new Promise((resolve) => {
    const socket = connect({ host: HOST, port: WEBHOOK_PORT, rejectUnauthorized: false });
    const end = (result: true | undefined) => () => {
      socket.destroy();
      resolve(result);
    };
    socket.once('secureConnect', end(true)).once('error', end(undefined));
  });
}
