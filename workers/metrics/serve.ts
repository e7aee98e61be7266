// GET /metrics for processes without a Temporal worker.
import { servePage, type SmallServer } from '../process/small-server.ts';
import type { Registry } from './meter.ts';

const TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** Listens as `servePage` does. */
export function serveMetrics(
  address: string | undefined,
  { text }: Pick<Registry, 'text'>,
): Promise<SmallServer> {
  return servePage(address, {
    setting: 'METRICS_ADDRESS',
    path: '/metrics',
    answer: () => ({ status: 200, text: text(), type: TYPE }),
  });
}
