// The health of a process: GET /healthz answers 200 while it is ready, else 503.
import { servePage, type SmallServer } from './small-server.ts';

/** Listens as `servePage` does. `healthy` is asked for each request. */
export function serveHealth(address: string | undefined, healthy: () => boolean): Promise<SmallServer> {
  return servePage(address, {
    setting: 'HEALTH_ADDRESS',
    path: '/healthz',
    answer: () => (healthy() ? { status: 200, text: 'ok\n' } : { status: 503, text: 'not ready\n' }),
  });
}
