// The door of a gateway alone: real TLS and HTTP/2, before a Temporal that a test plays. The header says who
// calls: `Bearer <cluster>`.
import { createSecretKey } from 'node:crypto';
import type { EndedCall } from '../../../../gateway/answering.ts';
import { openDoor, type GatewayDoorOptions } from '../../../../gateway/door.ts';
import { openCalls } from '../../../../gateway/bounds/open-calls.ts';
import type { SealKey } from '../../../../gateway/seal.ts';
import type { CallingSite } from '../../../../gateway/site.ts';
import { rawCaller, type RawCaller } from '../../../../testbed/gateway-bytes.ts';
import { issue } from '../../../../tls/certificate.ts';

export interface BareDoor {
  readonly key: SealKey;
  readonly port: number;
  /** PEM of what has signed its certificate. */
  readonly authority: string;
  readonly ended: EndedCall[];
  /** A new connection. */
  caller(): Promise<RawCaller>;
  stop(): Promise<void>;
}

export const siteNamed = (cluster: string): CallingSite => ({ cluster, account: `account-of-${cluster}` });
export const headersOf = (cluster: string) => ({ authorization: `Bearer ${cluster}` });

export async function bareDoor(
  workflowService: Readonly<Record<string, () => Promise<object>>>,
  bytes?: GatewayDoorOptions['bytes'],
  hosts: readonly string[] = ['127.0.0.1', 'localhost'],
): Promise<BareDoor> {
  const key = { id: Buffer.from('abcd'), secret: createSecretKey(Buffer.alloc(32, 7)) };
  const { cert, key: privateKey, authority } = await issue(hosts, Date.now());
  const within = (_bound: unknown, work: () => Promise<unknown>) => work();
  const ended: EndedCall[] = [];
  const door = await openDoor({
    context: {
      temporal: { workflowService, withAbortSignal: within, withDeadline: within } as never,
      namespace: 'default',
      keys: { current: () => key, find: () => Promise.resolve(key) },
      hasWork: () => Promise.resolve(false),
      onProblem: () => undefined,
    },
    identify: (authorization) => Promise.resolve(siteNamed(authorization.replace('Bearer ', ''))),
    open: openCalls(),
    address: '127.0.0.1:0',
    certificate: { cert, key: privateKey },
    ...(bytes === undefined ? {} : { bytes }),
    onEnded: (call) => ended.push(call),
  });
  const callers: RawCaller[] = [];
  return {
    key,
    port: door.port,
    authority,
    ended,
    caller: async () => {
      const one = await rawCaller(`127.0.0.1:${door.port}`, authority);
      callers.push(one);
      return one;
    },
    stop: async () => {
      for (const one of callers) one.close();
      await door.close();
    },
  };
}
